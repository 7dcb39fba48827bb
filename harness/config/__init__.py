"""From a TOML file to Settings: unknown keys are refused, a repository's own keys win.

Whatever else stands in the file is answered with one sentence that names the key.
"""

from harness.config.agents import the_two
from harness.config.finding import find_config
from harness.config.reading import load_config, read_settings

__all__ = ["find_config", "load_config", "read_settings", "the_two"]
