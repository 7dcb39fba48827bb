"""Which config file is meant."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from harness.errors import ConfigError


def find_config(given: str | None, environ: dict[str, str]) -> Path:
    """The config file: `--config`, `HARNESS_CONFIG`, ./harness.toml, or the user's own.

    Raises ConfigError when there is none.
    """
    named = given or environ.get("HARNESS_CONFIG", "")
    if named:
        path = Path(named)
        if not _is_file(path):
            raise ConfigError(f"there is no config file {path}; `harness init` writes one")
        return path
    own = Path(platformdirs.user_config_dir("harness")) / "config.toml"
    for path in (Path("harness.toml"), own):
        if _is_file(path):
            return path
    raise ConfigError(
        f"no config: neither ./harness.toml nor {own} exists; `harness init` writes one"
    )


def _is_file(path: Path) -> bool:
    """Whether it is a file; a folder that may not be looked into is the caller's to mend."""
    try:
        return path.is_file()
    except (OSError, ValueError) as error:
        raise ConfigError(f"the config file {path} cannot be reached: {error}") from None
