"""Headings 表头: what a column is, from the words above it.

A heading is cut into known words (greedily, the longest first); what they say together decides the role.
A heading with any unknown rest has no role, so that a title or a remark is never taken for a column.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

import msgspec

What = Literal["team", "team_number", "club", "club_short", "leader", "leader_phone", "player_name", "player_phone"]
Word = Literal[
    "team", "team_number", "club", "short", "leader", "captain", "partner", "person", "name", "title", "phone",
    "filler", "other", "and", "1", "2", "3", "4", "5", "6", "7", "8",
]  # fmt: skip

_WORDS: Final[dict[Word, str]] = {
    "team": "队名 队伍名称 队伍名 队伍 参赛队伍 参赛队名 参赛队 团队名称 团队 战队 球队 小队 组合名称 组合 对子 对名 "
    "team teamname pair pairname",
    "team_number": "队号 队伍编号 队伍号 参赛号 组号 对号 编号 报名号 报名编号 "
    "teamno teamnumber teamid pairno pairnumber",
    "club": "团体名称 团体 单位名称 单位 俱乐部名称 俱乐部 社团 协会 代表队 代表单位 代表团 组织 机构 公司 企业 "
    "学校 分会 街道 社区 "
    "club clubname organization organisation unit company school association delegation affiliation",
    "short": "简称 缩写 short shortname abbreviation",
    "leader": "领队 带队 负责人 联系人 团长 leader manager contact contactperson teamleader clubleader",
    "captain": "队长 captain",
    "partner": "搭档 队友 同伴 伙伴 partner teammate",
    "person": "队员 选手 成员 球员 运动员 参赛者 参赛人员 参赛人 参赛选手 参赛队员 牌手 报名人 报名者 人员 会员 本人 "
    "player member participant",
    "name": "姓名 名字 真实姓名 name fullname",
    "title": "名称",
    "phone": "手机号码 手机号 手机 电话号码 电话 联系方式 联系电话 联系手机 移动电话 联系号码 "
    "tel telephone phone phoneno phonenumber mobile mobilephone mobileno mobilenumber cell cellphone contactnumber",
    "1": "1 一 a 甲 第一 first",
    "2": "2 二 b 乙 第二 second",
    "3": "3 三 c 丙 第三 third",
    "4": "4 四 d 丁 第四 fourth",
    "5": "5 五 第五",
    "6": "6 六 第六",
    "7": "7 七 第七",
    "8": "8 八 第八",
    "and": "/ 、 及 和 与 或 & +",
    "filler": "第 所属 所在 所 参赛 报名 工作 请填写 请输入 填写 您的 你的 的 号 位 名 必填 选填 全称 中文 no of the",
    # Made of known words, yet none of a roster's columns.
    "other": "会员号 会员编号 选手号 选手编号 队员号 队员编号 运动员编号 运动员号 单位编号 团体编号 "
    "memberno memberid playerid",
}  # fmt: skip
_WORD_OF: Final[dict[str, Word]] = {text: word for word, texts in _WORDS.items() for text in texts.split()}
_LONGEST_WORD: Final = max(map(len, _WORD_OF))
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】")
_POSSESSIVE = re.compile(r"['’]s\b")
_NOISE = re.compile(r"[\s*:：_.,，。#\-—'’\"“”?？!！]+")
_PLAYER_CODE = re.compile(r"player_([1-8])_(name|phone)")
LONGEST_HEADING = 40


class Role(msgspec.Struct, frozen=True):
    """What a column holds; `player` is 1 to 8 for players' columns, else 0."""

    what: What
    player: int = 0

    @property
    def code(self) -> str:
        """`team`, `club`, ... or `player_2_phone`: how mappings name the role."""
        return f"player_{self.player}_{self.what.removeprefix('player_')}" if self.player else self.what

    @staticmethod
    def of_code(code: str) -> "Role":
        """The role of a code. Raises `ValueError` for an unknown one."""
        if found := _PLAYER_CODE.fullmatch(code):
            return Role("player_name" if found.group(2) == "name" else "player_phone", int(found.group(1)))
        for what in _SIMPLE_ROLES:
            if code == what:
                return Role(what)
        raise ValueError(code)


_SIMPLE_ROLES: Final[tuple[What, ...]] = ("team", "team_number", "club", "club_short", "leader", "leader_phone")


class Meaning(msgspec.Struct, frozen=True):
    """What one heading says by itself; a player's `number` is 0 while it is open."""

    what: What
    number: int = 0
    captain: bool = False


@lru_cache(maxsize=4096)
def meaning(heading: str) -> Meaning | None:
    """What a heading says; None when it is not one of a roster's columns."""
    words = _cut(_plain(heading))
    if words is None or "other" in words:
        return None
    if "and" in words and "phone" in words and words & {"name", "leader", "person", "partner"}:
        return None  # "姓名/电话" in one cell cannot be told apart safely
    numbers = [int(word) for word in words if word.isdecimal()]
    if len(numbers) > 1:
        return None
    return _of_words(words, numbers[0] if numbers else 0)


def _of_words(words: frozenset[Word], number: int) -> Meaning | None:
    phone = "phone" in words
    if "leader" in words:
        return Meaning("leader_phone" if phone else "leader")
    if "team_number" in words:
        return Meaning("team_number")
    if "partner" in words:
        return Meaning("player_phone" if phone else "player_name", number if number > 2 else 2)
    if "captain" in words:
        return Meaning("player_phone" if phone else "player_name", 0, captain=True)
    if words & {"person", "name"} and not ("club" in words or "team" in words):
        return Meaning("player_phone" if phone else "player_name", number)
    if phone:
        return Meaning("player_phone", number) if not words & {"club", "team"} else Meaning("leader_phone")
    if "club" in words or "short" in words:
        return Meaning("club_short" if "short" in words else "club")
    if words & {"team", "title"}:
        return Meaning("team")
    return None


def _plain(heading: str) -> str:
    text = unicodedata.normalize("NFKC", heading).lower()
    outside = _POSSESSIVE.sub("", _BRACKETS.sub("", text))
    return _NOISE.sub("", outside)


def _cut(text: str) -> frozenset[Word] | None:
    """The known words of a heading, or None if anything is left over."""
    if not text or len(text) > LONGEST_HEADING:
        return None
    words: set[Word] = set()
    position = 0
    while position < len(text):
        for length in range(min(_LONGEST_WORD, len(text) - position), 0, -1):
            word = _WORD_OF.get(text[position : position + length])
            if word is not None:
                words.add(word)
                position += length
                break
        else:
            return None
    return frozenset(words)
