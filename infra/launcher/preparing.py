"""What a command needs before it runs: the virtual environment, and the built pages if it serves them."""

from infra.launcher.paths import BUILD


def prepare(requirements: str, *, pages: bool) -> None:
    """Have the virtual environment with these requirements, and the built pages if they are asked for.

    Raises SetupError when something is missing that cannot be installed.
    """
    from infra.launcher.lock import only_one
    from infra.launcher.node import ensure_pages
    from infra.launcher.python_packages import ensure_packages

    with only_one(BUILD / "launcher.lock"):
        ensure_packages(requirements)
        if pages:
            ensure_pages()
