"""CloudFormation templates as Python values, the way AWS would see them."""

from typing import Any

from samtranslator.translator.transform import transform

Template = dict[str, Any]


class _NoManagedPolicies:
    """The names of AWS's managed policies are not needed: every function has its own."""

    def load(self) -> dict[str, str]:
        return {}


def without_sam(template: Template) -> Template:
    """What AWS makes of a template of serverless resources: plain ones."""
    transformed = transform(template, {}, _NoManagedPolicies())
    assert isinstance(transformed, dict)
    return transformed


def of_type(template: Template, kind: str) -> dict[str, Template]:
    """The properties of all resources of a type such as `AWS::Lambda::Function`, by logical name."""
    return {
        name: resource.get("Properties", {})
        for name, resource in template["Resources"].items()
        if resource["Type"] == kind
    }
