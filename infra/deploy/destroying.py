"""Taking a stage down. Tables, buckets and secrets stay, whatever is asked for."""

from __future__ import annotations

from collections.abc import Callable

from infra.deploy import adoption
from infra.deploy.account import GLOBAL_REGION, Account
from infra.deploy.deploying import PAUSE_SECONDS
from infra.deploy.stacks import Stacks
from infra.deploy.stages import Stage
from infra.local.templates import DATA_TEMPLATE, read_template

# Backwards: nobody calls what is going.
PARTS = ("edge", "watch", "app")


def destroy(
    account: Account,
    stage: Stage,
    *,
    data_stack: bool,
    say: Callable[[str], None] = print,
    pause: float = PAUSE_SECONDS,
) -> None:
    """Delete the stage's stacks. Raises SetupError when one cannot be deleted; repeating goes on from there.

    ``data_stack``: the data stack as well; its tables and buckets stay and are written down for the next deployment.
    """
    stacks = Stacks(account.client("cloudformation"), pause)
    for part in PARTS:
        _delete(stacks, stage.stack(part), say)
    _delete(Stacks(account.client("cloudformation", GLOBAL_REGION), pause), stage.stack("waf"), say)
    name = stage.stack("data")
    if stacks.find(name) is None:
        say(f"{name}: is not there")
    elif not data_stack:
        say(f"{name}: kept with all tables and files; `python3 guanjun deploy {stage.name}` goes on with them")
    else:
        kept = adoption.remember(account, stage, read_template(DATA_TEMPLATE), stacks)
        _delete(stacks, name, say)
        for each in kept:
            say(f"  kept: {each}")
        say(
            f"`python3 guanjun deploy {stage.name}` adopts them again (their names stand in the parameter "
            f"{adoption.parameter_of(stage)}). To be rid of them, delete them by hand, and /guanjun/{stage.name}/ "
            "among the parameters of Systems Manager."
        )


def _delete(stacks: Stacks, name: str, say: Callable[[str], None]) -> None:
    say(f"{name}: {'deleted' if stacks.delete(name) else 'is not there'}")
