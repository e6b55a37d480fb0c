"""What is kept of WeChat, in the table ``accounts``; people's openids are sealed (``services/wechat/openids``).

====================  ==================  ==========================================================
pk                    sk                  item
====================  ==================  ==========================================================
WECHAT#<index>        ACCOUNT             :class:`WeChatOwner`: HMAC of the openid -> account id
VISIT#<hash>          WECHAT              :class:`Visit`: one browser's way through WeChat, two hours
WECHAT                TOKEN               :class:`Token`: the official account's access token
====================  ==================  ==========================================================
"""

from __future__ import annotations

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name


class _AccountsTable(Place):
    table_name = table_name("accounts")


class WeChatOwner(Record):
    """Which account somebody's WeChat belongs to."""

    class Meta(_AccountsTable):
        pass

    account_id = UnicodeAttribute()


class Visit(Record):
    """One browser's way to WeChat and back. ``phase``: begun | arrived. ``began_at`` in milliseconds;
    ``openid``: sealed; ``expires_at`` in seconds (TTL), checked on every read as well."""

    class Meta(_AccountsTable):
        pass

    phase = UnicodeAttribute()
    purpose = UnicodeAttribute()
    return_path = UnicodeAttribute()
    began_at = NumberAttribute()
    openid = UnicodeAttribute(null=True)
    expires_at = NumberAttribute()


class Token(Record):
    """The access token, sealed, good until ``good_until`` (ms); who has the lease until ``lease_until`` (ms) renews."""

    class Meta(_AccountsTable):
        pass

    token = UnicodeAttribute(null=True)
    good_until = NumberAttribute(default=0)
    lease_until = NumberAttribute(default=0)
