"""Reading CloudFormation templates: YAML with the short tags for functions (``!Ref``, ``!Sub`` ...)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

INFRA = Path(__file__).resolve().parents[1]
DATA_TEMPLATE = INFRA / "data.yaml"
MERGE_TEMPLATE = INFRA / "merge.yaml"


class _Loader(yaml.SafeLoader):
    """A loader of its own, so that the tags are not taught to everybody's SafeLoader."""


def _function(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
        if suffix == "GetAtt":
            value = str(value).split(".", 1)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)
        value = loader.construct_mapping(node, deep=True)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _function)


def read_template(path: Path) -> dict[str, Any]:
    """The template as plain data; an absent file is an empty template."""
    if not path.is_file():
        return {}
    loader = _Loader(path.read_text("utf-8"))
    try:
        template = loader.get_single_data()
    finally:
        loader.dispose()
    return template if isinstance(template, dict) else {}
