"""`guanjun package`: build what AWS runs, and say where it lies and how large it is."""

from infra.launcher.paths import ROOT
from infra.packaging.build import NOT_COMPILED, build


def run(_arguments: list[str]) -> int:
    """Returns 0 when the package is complete. Raises SetupError when something is missing."""
    package = build()
    size = package.archive.stat().st_size
    print(f"code      {package.archive.relative_to(ROOT)}  {size / 1e6:.2f} MB")
    print(f"template  {package.template.relative_to(ROOT)}  {package.template.stat().st_size / 1e3:.1f} kB")
    if not package.is_compiled:
        print(f"note      {NOT_COMPILED}")
    return 0
