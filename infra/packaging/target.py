"""What a package is built for: the Python and the machine that will run it."""

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A Python version such as "3.13", and the wheel platforms that run there (none: this very machine)."""

    python: str
    platforms: tuple[str, ...]

    @property
    def name(self) -> str:
        """A word for directories."""
        return f"python{self.python}-{'lambda' if self.platforms else 'here'}"

    def pip_options(self) -> list[str]:
        """What makes pip choose wheels for the target instead of for the machine it runs on."""
        if not self.platforms:
            return []
        options = ["--only-binary=:all:", "--implementation", "cp", "--python-version", self.python]
        for platform in self.platforms:
            options += ["--platform", platform]
        return options


# Amazon Linux 2023, on which Lambda's Python 3.12 and later run, has glibc 2.34.
LAMBDA = Target(
    python="3.13",
    platforms=("manylinux_2_34_x86_64", "manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
)


def this_machine() -> Target:
    """The running interpreter: for an emulated cloud, which runs functions as processes of this machine."""
    return Target(python=f"{sys.version_info.major}.{sys.version_info.minor}", platforms=())
