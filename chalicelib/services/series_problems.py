"""Refusals of series (赛事阶段). Rows of the catalogue in ``problems.py``, which explains them."""

from __future__ import annotations

from typing import Final

SERIES: Final[dict[str, tuple[int, str, str]]] = {
    "series_foreign": (
        403,
        "系列赛中有您不能管理的赛事，请由各场赛事的组织者操作。",
        "The series holds an event that you do not run. Somebody who runs all of them has to do this.",
    ),
    "series_elsewhere": (
        409,
        "“{name}”已在另一个系列赛中，请先在那里移出。",
        "'{name}' belongs to another series. Take it out of that one first.",
    ),
    "series_no_stage": (404, "系列赛中没有这个阶段。", "The series has no such stage."),
    "series_unfinished": (
        409,
        "“{name}”还没有赛完：请结算各轮（含延期的桌次），或提前结束比赛。",
        "'{name}' is not finished: settle its rounds and postponed tables, or end the event early.",
    ),
    "series_registration_open": (
        409,
        "“{name}”仍在报名，请先关闭报名。",
        "'{name}' still takes registrations. Close them first.",
    ),
    "series_frozen": (
        409,
        "“{name}”已封榜，组成下一阶段会泄露名次，请先解除封榜。",
        "The standings of '{name}' are frozen, and the next stage would give them away. Unfreeze them first.",
    ),
    "series_encrypted": (
        409,
        "“{name}”已加密：每场加密赛事的密钥不同，不能从中抽取或向其写入队伍。",
        "'{name}' is encrypted. Each encrypted event has a key of its own, so teams cannot be copied from or into it.",
    ),
    "series_purged": (
        409,
        "“{name}”的个人信息已清除，不能再抽取队伍。",
        "The personal data of '{name}' are gone, so no team can go on from it.",
    ),
    "series_ended": (409, "“{name}”已结束，不能再写入队伍。", "'{name}' has ended, so it takes no more teams."),
    "series_drawn": (
        409,
        "“{name}”已编排第一轮，请先删除该轮。",
        "The first round of '{name}' is drawn. Delete that round first.",
    ),
    "series_not_empty": (
        409,
        "“{name}”已有队伍。如系上次组成的，请先撤销。",
        "'{name}' has entries already. If they were formed from the stage before, undo that first.",
    ),
    "series_players": (
        409,
        "“{team}”的人数不符合“{name}”的要求。",
        "'{team}' does not have the number of players that '{name}' asks for.",
    ),
    "series_twice": (
        409,
        "“{name}”与“{other}”登记了同一手机号，同一人只能晋级一次：请先更正，或让其中一队放弃晋级。",
        "'{name}' and '{other}' are entered with the same phone, and nobody goes on twice. Put that right, or let one "
        "of them decline.",
    ),
    "series_nobody": (409, "没有可以晋级的队伍。", "There is nobody who could go on."),
    "series_undecided": (
        409,
        "晋级线上有并列，请先选定晋级的队伍。",
        "There is a tie at the cut. Choose first who goes on.",
    ),
    "series_changed": (
        409,
        "预览之后赛果或名单有变动，请重新预览。",
        "Results or entries have changed since the preview. Look at the preview again.",
    ),
    "series_forming": (
        409,
        "该阶段正在组成或撤销，请稍候。",
        "This stage is being formed or undone right now. Please wait a moment.",
    ),
    "series_not_formed": (
        409,
        "该阶段还没有由上一阶段组成。",
        "This stage has not been formed from the stage before.",
    ),
}
