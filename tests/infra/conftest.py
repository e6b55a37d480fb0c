"""The templates and the package, built once per run."""

import pytest

from infra.local.templates import DATA_TEMPLATE, read_template
from infra.packaging.build import Package, build
from tests.support.templates import Template, without_sam


@pytest.fixture(scope="session")
def data_template() -> Template:
    """The data stack's template."""
    return read_template(DATA_TEMPLATE)


@pytest.fixture(scope="session")
def package() -> Package:
    """The program packaged for Lambda, as `guanjun package` makes it."""
    return build()


@pytest.fixture(scope="session")
def app_template(package: Package) -> Template:
    """The app stack's template as `guanjun package` writes it."""
    return read_template(package.template)


@pytest.fixture(scope="session")
def plain_template(package: Package) -> Template:
    """The app stack's template after AWS's transformation of its serverless resources."""
    return without_sam(read_template(package.template))
