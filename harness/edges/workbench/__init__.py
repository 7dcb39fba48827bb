"""The workbench: commands inside bubblewrap, limited, alone, and gone when they end."""

from harness.edges.workbench.bench import BwrapWorkbench
from harness.edges.workbench.open_bench import OpenWorkbench

__all__ = ["BwrapWorkbench", "OpenWorkbench"]
