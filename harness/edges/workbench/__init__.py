"""The workbench: commands inside bubblewrap, limited, alone, and gone when they end."""

from harness.edges.workbench.bench import BwrapWorkbench, OpenWorkbench

__all__ = ["BwrapWorkbench", "OpenWorkbench"]
