"""Refusals of match day: rounds and scoring. Rows of the catalogue in ``problems.py``, which explains them."""

from __future__ import annotations

from typing import Final

MATCH_DAY: Final[dict[str, tuple[int, str, str]]] = {
    # rounds
    "round_not_found": (404, "没有这一轮。", "There is no such round."),
    "round_phase": (409, "当前阶段（{phase}）不能进行此操作。", "This cannot be done while the round is '{phase}'."),
    "open_tables": (409, "还有未完成的桌次：{tables}。", "Some tables are still open: {tables}."),
    "all_rounds_drawn": (
        409,
        "已编排全部 {rounds} 轮，可在设置中增加轮数。",
        "All {rounds} rounds are drawn; raise the number of rounds to go on.",
    ),
    "too_few_entries": (409, "可参赛的队伍不足两支。", "Fewer than two entries can play."),
    "no_legal_pairing": (
        409,
        "没有不重复对阵的编排，请查看建议方案。",
        "No pairing without a rematch exists; see the proposal.",
    ),
    "groups_fixed": (
        409,
        "第一轮已经编排，不能再分组；请先删除该轮。",
        "The first round is drawn, so the groups are fixed. Delete that round first.",
    ),
    "groups_too_many": (
        400,
        "每组至少两队，最多可分 {most} 组（循环赛最多 1000 队）。",
        "Each group needs two entries: there can be {most} groups (and 1000 entries in a round robin).",
    ),
    "movement_over": (
        409,
        "本赛制的全部对阵都已编排，没有新的一轮。",
        "Every meeting of this design has been drawn; there is no further round.",
    ),
    "draft_invalid": (400, "编排草稿不正确：{why_zh}。", "The draft is not sound: {why_en}."),
    "results_changed": (
        409,
        "编排期间有成绩被更正，请再编排一次。",
        "A result was corrected while the round was being drawn. Please draw it again.",
    ),
    "draft_outdated": (
        409,
        "编排之后，上一轮第 {tables} 桌的成绩被更正，晋级的队伍变了，请重新编排。",
        "After the draw the result of table {tables} of the round before was corrected, so others go on now. Please "
        "draw this round again.",
    ),
    "later_round": (
        409,
        "第 {round} 轮已经编排，请先删除该轮，或由裁判直接更正成绩。",
        "Round {round} is drawn already. Delete it first, or let the referee correct the result.",
    ),
    "not_last_round": (409, "只能从最后一轮开始删除。", "Rounds can only be deleted from the last backwards."),
    "reason_missing": (400, "请填写原因。", "Please give a reason."),
    "clock_state": (
        409,
        "计时器当前状态（{state}）不能进行此操作。",
        "The clock is '{state}'; this cannot be done now.",
    ),
    # scoring
    "table_not_found": (404, "没有这一桌。", "There is no such table."),
    "not_your_table": (403, "这不是您所在的桌次。", "This is not your table."),
    "not_started": (
        409,
        "本轮尚未开始计时，暂不能记分。",
        "The round's clock has not started; scores are not taken yet.",
    ),
    "round_closed": (
        409,
        "本轮时间已到，记分已停止，请联系裁判。",
        "The round is over and scoring has stopped. Please see the referee.",
    ),
    "table_locked": (
        409,
        "本轮已结算，如有错误请联系裁判。",
        "The round is settled. If something is wrong, please see the referee.",
    ),
    "table_ruled": (
        409,
        "裁判已裁定本桌成绩，如有异议请联系裁判。",
        "The referee has ruled on this table. If you object, please see the referee.",
    ),
    "levels_impossible": (400, "这个级数组合不可能出现：{why_zh}。", "These levels are not possible: {why_en}."),
    "boards_wrong": (
        400,
        "本桌的牌副为 {boards}，请逐副填写，每副一次。",
        "The boards of this table are {boards}; give the result of each of them once.",
    ),
    "levels_not_offered": (
        400,
        "“{kind_zh}”按副记分，请逐副填写结果，不填级数。",
        "'{kind_en}' is scored by boards: give the result of every board, no levels.",
    ),
    "lap_not_offered": (
        400,
        "“{kind_zh}”过 A 即止，没有下一圈。",
        "'{kind_en}' ends with A passed; there is no further lap.",
    ),
    "winner_missing": (
        400,
        "淘汰赛级数相同，请加打一副并注明胜方。",
        "A knock-out needs a winner: on equal levels play one more board and say who won it.",
    ),
    "winner_refused": (
        400,
        "胜负由成绩决定，不能另填胜方。",
        "The result itself decides who won; no winner can be named here.",
    ),
    "line_up_not_offered": (
        409,
        "“{kind_zh}”每队只有两名选手，不需要排出场名单。",
        "Entries of '{kind_en}' are two players; there is no line-up to give.",
    ),
    "line_up_wrong": (
        400,
        "每队须选两名不同的选手，且不能同时在另一室出场。",
        "Name two different players of each team, and nobody who sits in the other room.",
    ),
    "line_up_given": (
        409,
        "本队的上场名单已经交了，如需更改请联系裁判。",
        "Your line-up has been handed in. To change it, please see the referee.",
    ),
    "line_up_closed": (
        409,
        "第 {round} 轮已经开始，上场名单请联系裁判。",
        "Round {round} has begun. For the line-up, please see the referee.",
    ),
    "table_under_way": (
        409,
        "第 {round} 轮第 {table} 桌正在比赛，请在该桌有结果后再换人。",
        "Table {table} of round {round} is being played. Substitute once it has a result.",
    ),
    "substitution_not_found": (
        404,
        "没有这次换人，或者该选手后来又有变动。",
        "There is no such substitution, or that player has changed since.",
    ),
    "too_many_substitutions": (
        409,
        "一支队伍最多换人 {limit} 次。",
        "An entry can have {limit} substitutions.",
    ),
    "next_match_played": (
        409,
        "第 {round} 轮第 {table} 桌已有成绩，请先撤销该桌成绩，再更正本桌。",
        "Table {table} of round {round} has a result already. Clear that first, then correct this one.",
    ),
    "not_ruled": (409, "本桌没有裁定可以撤销。", "There is no ruling on this table to take back."),
    "forfeit_not_allowed": (
        409,
        "本赛事不能自己操作弃权，请联系裁判。",
        "Players cannot give up by themselves in this event. Please see the referee.",
    ),
    "result_agreed": (
        409,
        "双方提交的成绩一致，本桌已经结束，不能再弃权；如有异议请呼叫裁判。",
        "Both sides agree on the result, so the table is over and cannot be given up. If you object, please call the "
        "referee.",
    ),
    "call_open": (409, "已经呼叫过裁判，请稍候。", "The referee has been called already. Please wait."),
    "call_taken": (409, "已有裁判前往处理。", "A referee has taken this call already."),
    "call_not_found": (404, "这次呼叫已经处理或撤回。", "This call is dealt with or withdrawn."),
    "message_missing": (400, "请写明需要更正什么。", "Please say what should be corrected."),
    "not_adjustable": (
        400,
        "本赛事只能调整：{offered_zh}。",
        "In this event only these can be adjusted: {offered_en}.",
    ),
    "adjustment_not_found": (404, "没有这项加减分，可能已经撤销。", "There is no such adjustment; it may be removed."),
    "too_many_adjustments": (
        409,
        "加减分最多 {limit} 项，每轮最多 {round_limit} 项。",
        "There can be {limit} adjustments, {round_limit} in a round.",
    ),
    "picture_missing": (404, "没有这张图片，请先上传。", "There is no such picture. Please upload it first."),
    "picture_shown": (409, "大屏正在显示这张图片。", "The projection is showing this picture."),
    "not_a_picture": (
        400,
        "文件不是完好的 PNG、JPEG 或 WebP 图片，或边长超过 10000 像素。",
        "The file is no sound PNG, JPEG or WebP, or a side is longer than 10,000 pixels.",
    ),
    "too_many_pictures": (
        409,
        "图片最多 {limit} 张，请先删除旧图片。",
        "There can be {limit} pictures. Remove an old one first.",
    ),
    "document_faults": (
        422,
        "文件有 {count} 处问题，没有建立赛事。",
        "The file has {count} faults; no event was made.",
    ),
    "not_restorable": (
        409,
        "文件没有错误，但本系统无法以相同排名继续这场赛事：{why}。",
        "The file is sound, but this event could not go on here with the same standings: {why}.",
    ),
}
