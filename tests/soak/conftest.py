from __future__ import annotations

from tests.kills.conftest import calm_whole, new_stage, nursery

__all__ = ["calm_whole", "new_stage", "nursery"]
