"""The stages that can be deployed, and what their things are called."""

from __future__ import annotations

from dataclasses import dataclass

from infra.launcher.errors import SetupError


@dataclass(frozen=True)
class Stage:
    """A deployment of its own. ``protect``: its tables refuse to be deleted, by whatever tool."""

    name: str
    protect: bool

    def stack(self, part: str) -> str:
        """The name of one of its stacks: data, app, edge, watch or waf."""
        return f"guanjun-{self.name}-{part}"


STAGES = {stage.name: stage for stage in (Stage("dev", protect=False), Stage("prod", protect=True))}


def stage_named(name: str) -> Stage:
    """The stage of that name. Raises SetupError with the names there are."""
    if name not in STAGES:
        raise SetupError(f"there is no stage {name!r}; there are {', '.join(STAGES)}")
    return STAGES[name]
