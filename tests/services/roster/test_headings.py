"""Headings of many systems: which column is what."""

import pytest

from chalicelib.services.roster.columns import assign, column_letter
from chalicelib.services.roster.headings import Role


def codes(*headings: str) -> list[str]:
    return [role.code if role else "" for role in assign(headings)]


@pytest.mark.parametrize(
    ("headings", "roles"),
    [
        (
            "队伍名称 队员1姓名 队员1手机 队员2姓名 队员2手机 团体",
            "team player_1_name player_1_phone player_2_name player_2_phone club",
        ),
        ("参赛队 选手一 性别 选手二 性别 所属俱乐部/社团 当前积分", "team player_1_name - player_2_name - club -"),
        ("序号 姓名 搭档 手机号 搭档手机 单位", "- player_1_name player_2_name player_1_phone player_2_phone club"),
        ("姓名 手机号 姓名 手机号", "player_1_name player_1_phone player_2_name player_2_phone"),
        ("姓名 手机号 搭档", "player_1_name player_1_phone player_2_name"),
        ("选手1 选手2 电话 电话", "player_1_name player_2_name player_1_phone player_2_phone"),
        ("姓名1 电话1 姓名2 电话2", "player_1_name player_1_phone player_2_name player_2_phone"),
        ("选手A 选手B 联系方式", "player_1_name player_2_name player_1_phone"),
        ("第一位选手 第二位选手", "player_1_name player_2_name"),
        ("1号选手姓名 2号选手姓名", "player_1_name player_2_name"),
        ("队名 队长 队长手机 队员 队员手机", "team player_1_name player_1_phone player_2_name player_2_phone"),
        ("队号 姓名 手机", "team_number player_1_name player_1_phone"),
        ("队名 姓名 联系电话 工作单位", "team player_1_name player_1_phone club"),
        ("团体名称 简称 领队 领队手机", "club club_short leader leader_phone"),
        ("俱乐部 领队 电话 姓名 电话", "club leader leader_phone player_1_name player_1_phone"),
        ("参赛单位 联系人 联系电话", "club leader leader_phone"),
        ("姓名（必填） 手机号* 所在俱乐部：", "player_1_name player_1_phone club"),
        ("【必填】姓名 您的手机号", "player_1_name player_1_phone"),
        ("姓名１ 姓名２", "player_1_name player_2_name"),
        (
            "Team|Player 1|Phone 1|Player 2|Phone 2|Club",
            "team player_1_name player_1_phone player_2_name player_2_phone club",
        ),
        ("Team Name|Player1 Name|Player2 Name|Mobile No.", "team player_1_name player_2_name player_1_phone"),
        ("No.|Name|Partner|Telephone|Organization", "- player_1_name player_2_name player_1_phone club"),
        (
            "Name|Partner's Name|Partner’s Phone|Leader's phone",
            "player_1_name player_2_name player_2_phone leader_phone",
        ),
        ("队员1 队员2 队员3 队员4 队员5 队员6 队员7 队员8", " ".join(f"player_{n}_name" for n in range(1, 9))),
        ("会员号 选手编号 姓名 备注 签到", "- - player_1_name - -"),
        ("姓名/电话 单位", "- club"),
        ("2026 秋季团体赛报名汇总", "- -"),
        ("单位 俱乐部", "club -"),
    ],
)
def test_columns_get_their_roles(headings: str, roles: str) -> None:
    separator = "|" if "|" in headings else " "
    assert codes(*headings.split(separator)) == [role.strip("-") for role in roles.split()]


def test_role_codes_go_both_ways() -> None:
    for code in (
        "team",
        "team_number",
        "club",
        "club_short",
        "leader",
        "leader_phone",
        "player_1_name",
        "player_8_phone",
    ):
        assert Role.of_code(code).code == code
    for code in ("player_9_name", "player_0_name", "player_name", "name", "", "player_1_club"):
        with pytest.raises(ValueError):
            Role.of_code(code)


def test_column_letters() -> None:
    assert [column_letter(index) for index in (0, 25, 26, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]
