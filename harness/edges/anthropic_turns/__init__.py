"""Anthropic's Messages API behind the turns door; the SDK is imported at the first question."""

from harness.edges.anthropic_turns.client import AnthropicTurns

__all__ = ["AnthropicTurns"]
