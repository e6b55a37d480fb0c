"""`guanjun openapi`: write web/openapi.json and chalicelib/api/features.json from the routes, and the pages' types."""

from infra.launcher.environment import call
from infra.launcher.errors import SetupError
from infra.launcher.node import ensure_modules
from infra.launcher.paths import ROOT


def run(_arguments: list[str]) -> int:
    """Returns 0. Raises SetupError when the application declares no routes or the types cannot be written."""
    import app
    from chalicelib.api import features
    from chalicelib.api.openapi import document

    if not app.app.routes:
        raise SetupError("the application declares no routes")
    (ROOT / "web" / "openapi.json").write_bytes(document())
    features.FILE.write_bytes(features.written())
    node = ensure_modules()
    call([node.npm, "run", "--silent", "gen:api"], "write the pages' types", ROOT / "web", node.environment())
    return 0
