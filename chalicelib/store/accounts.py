"""Table ``accounts``: people who sign in, their codes and sessions, and which events they may open.

====================  ==================  ==========================================================
pk                    sk                  item
====================  ==================  ==========================================================
ACCOUNT#<id>          PROFILE             :class:`Account`
PHONE#<index>         ACCOUNT             :class:`PhoneOwner`: HMAC of the phone -> account id
PHONE#<index>         CODE                :class:`SignInCode`: the live one-time code, tries, rate window
ACCOUNT#<id>          SESSION#<id>        :class:`Session`: hash of its secret, expiry, device
ACCOUNT#<id>          EVENT#<event>       :class:`Membership`: role of the account in an event (list "my events")
PHONE#<index>         INVITED#<event>     :class:`Invitation`: administrator by phone, effective at sign-in
WECHAT, VISIT                             see ``store/wechat``
====================  ==================  ==========================================================
"""

from __future__ import annotations

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from chalicelib.store.tables import Place, Record, table_name


class _AccountsTable(Place):
    table_name = table_name("accounts")


class Account(Record):
    """A person with an account.

    ``vip_level`` and, until ``trial_until`` (ms), ``trial_level`` (临时VIP): numbers of ``services/vip``.
    ``events_owned`` counts events that are neither deleted nor 测试赛. ``password_hash``: Argon2id, None = none set.
    ``wechat_index`` and ``wechat_openid``: HMAC and sealed form of the bound WeChat's openid (``services/wechat``).
    """

    class Meta(_AccountsTable):
        pass

    account_id = UnicodeAttribute()
    phone = UnicodeAttribute()
    name = UnicodeAttribute(default="")
    platform_administrator = BooleanAttribute(default=False)
    created_at = NumberAttribute()
    vip_level = NumberAttribute(default=0)
    trial_level = NumberAttribute(null=True)
    trial_until = NumberAttribute(null=True)
    events_owned = NumberAttribute(default=0)
    password_hash = UnicodeAttribute(null=True)
    wechat_index = UnicodeAttribute(null=True)
    wechat_openid = UnicodeAttribute(null=True)


class PhoneOwner(Record):
    """Which account a phone belongs to."""

    class Meta(_AccountsTable):
        pass

    account_id = UnicodeAttribute()


class SignInCode(Record):
    """The one-time code last sent to a phone and how often it was asked for and tried."""

    class Meta(_AccountsTable):
        pass

    code_hash = UnicodeAttribute(null=True)
    sent_at = NumberAttribute(default=0)
    tries = NumberAttribute(default=0)
    window_from = NumberAttribute(default=0)
    sent_in_window = NumberAttribute(default=0)
    expires_at = NumberAttribute(null=True)


class Session(Record):
    """A signed-in browser. ``expires_at`` in seconds (TTL), checked on every read as well."""

    class Meta(_AccountsTable):
        pass

    secret_hash = UnicodeAttribute()
    csrf = UnicodeAttribute()
    created_at = NumberAttribute()
    last_seen_at = NumberAttribute()
    device = UnicodeAttribute(default="")
    expires_at = NumberAttribute()


class Membership(Record):
    """An account's role in an event, kept with the account so that "my events" is one query."""

    class Meta(_AccountsTable):
        pass

    event_id = UnicodeAttribute()
    role = UnicodeAttribute()
    event_name = UnicodeAttribute()
    kind = UnicodeAttribute()
    starts_at = NumberAttribute(null=True)
    created_at = NumberAttribute()
    deleted_at = NumberAttribute(null=True)


class Invitation(Record):
    """An administrator named by phone who has not signed in yet."""

    class Meta(_AccountsTable):
        pass

    event_id = UnicodeAttribute()
    member_id = UnicodeAttribute()
    role = UnicodeAttribute()
