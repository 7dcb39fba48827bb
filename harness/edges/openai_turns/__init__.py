"""OpenAI's Responses API behind the turns door; the SDK is imported at the first question."""

from harness.edges.openai_turns.client import OpenAITurns

__all__ = ["OpenAITurns"]
