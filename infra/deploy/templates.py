"""The templates of all stacks of a stage, as the deployment hands them over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.deploy.edge_template import edge_template
from infra.local.templates import DATA_TEMPLATE, INFRA, read_template
from infra.packaging.build import Package

Template = dict[str, Any]
WATCH_TEMPLATE = INFRA / "watch.yaml"
WAF_TEMPLATE = INFRA / "waf.yaml"


def _as_they_are(part: str, template: Template) -> Template:
    return template


@dataclass(frozen=True)
class Templates:
    """``adapt`` gets each part's name and template last: an emulated cloud lives at other addresses."""

    package: Package
    adapt: Callable[[str, Template], Template] = field(default=_as_they_are)

    def of(self, part: str) -> Template:
        """The template of ``data``, ``app``, ``edge``, ``watch`` or ``waf``."""
        if part == "edge":
            return self.adapt(part, edge_template())
        files = {
            "data": DATA_TEMPLATE,
            "app": self.package.template,
            "watch": WATCH_TEMPLATE,
            "waf": WAF_TEMPLATE,
        }
        return self.adapt(part, read_template(files[part]))


def parameters_of(template: Template, values: Mapping[str, str]) -> dict[str, str]:
    """Those of the values that the template has a parameter for."""
    return {name: values[name] for name in template.get("Parameters", {}) if name in values}
