"""WeChat in a real browser that says it is WeChat's, with a server that plays WeChat: to it and back, and following."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.catalogue import words_of
from tests.e2e.measuring import axe_faults, faults_of, keep_picture, small_targets
from tests.e2e.organizing import Organizer, pairs, sign_in
from tests.e2e.product import Product, serving
from tests.e2e.scenes import DESKTOP, PHONE_390
from tests.support.official_account import PlayedWeChat

pytestmark = pytest.mark.browser

AGENT = (
    "Mozilla/5.0 (Linux; Android 13; M2102) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 "
    "Mobile Safari/537.36 XWEB/1160065 MMWEBSDK/20231202 MicroMessenger/8.0.47.2560(0x28002F35) WeChat/arm64"
)
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
OpenPhone = Callable[[str], Page]


@pytest.fixture(scope="module")
def played() -> Iterator[PlayedWeChat]:
    """WeChat."""
    played = PlayedWeChat()
    yield played
    played.stop()


@pytest.fixture(scope="module")
def wechat_product(played: PlayedWeChat, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product with an official account."""
    data = tmp_path_factory.mktemp("wechat")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    papers = played.papers(site=f"http://127.0.0.1:{port}")
    (data / "wechat.json").write_bytes(msgspec.json.encode(papers))
    with serving(data, port=port) as running:
        yield running


@pytest.fixture(scope="module")
def organizing(browser: Browser, wechat_product: Product) -> Iterator[Organizer]:
    """An event that asks to follow first, and to sign in before scoring."""
    context = browser.new_context(base_url=wechat_product.url, locale="zh-CN", **DESKTOP)
    organizer = sign_in(context.new_page())
    organizer.create(pairs(2, first=500), allow_wechat=True, sign_in_required=True)
    yield organizer
    context.close()


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers of their own at any of the servers; closed at the end."""
    opened: list[BrowserContext] = []

    def new(**options: Any) -> BrowserContext:
        opened.append(browser.new_context(reduced_motion="reduce", **options))
        opened[-1].set_default_timeout(20_000)
        return opened[-1]

    yield new
    for context in opened:
        context.close()


@pytest.fixture
def phone(contexts: Callable[..., BrowserContext], wechat_product: Product) -> OpenPhone:
    """A fresh phone inside WeChat, in a language."""

    def opened(language: str) -> Page:
        options: dict[str, Any] = {**PHONE_390, "locale": LOCALES[language], "user_agent": AGENT}
        # The pages' own policy would not let axe in: it looks at the English ones, the Chinese ones keep the policy.
        return contexts(base_url=wechat_product.url, bypass_csp=language == "en", **options).new_page()

    return opened


def look(page: Page, name: str) -> None:
    """The page fits, axe finds nothing in English, and a picture of it is kept."""
    keep_picture(page, name)
    faults = [*faults_of(page), *small_targets(page), *(axe_faults(page) if name.endswith("-en") else [])]
    assert not faults, "\n".join([name, *faults])


def look_large(page: Page, name: str) -> None:
    """The same on a large screen: WeChat runs on computers too."""
    page.set_viewport_size({"width": 1440, "height": 900})
    keep_picture(page, f"{name}-1440")
    faults = faults_of(page)
    page.set_viewport_size(PHONE_390["viewport"])
    assert not faults, "\n".join([name, *faults])


def code_for(organizer: Organizer, number: str) -> str:
    """The code that was last sent to a phone."""
    messages = organizer.get("/local/outbox")["messages"]
    text = next(message["text"] for message in messages if message["phone"] == number)
    return "".join(letter for letter in text if letter.isdigit())[:6]


@pytest.mark.parametrize("language", LOCALES)
def test_the_phone_is_bound_once_and_wechat_signs_in_from_then_on(
    language: str, phone: OpenPhone, organizing: Organizer, played: PlayedWeChat
) -> None:
    say = words_of("wechat", "console-account", "console", language=language)
    number = {"zh": "13800138101", "en": "13800138102"}[language]
    played.user = f"openid-{language}"
    page = phone(language)
    page.goto("/c/account")
    expect(page.get_by_role("button", name=say("wechatSignIn"))).to_be_visible()
    look(page, f"wechat-sign-in-{language}")
    page.get_by_role("button", name=say("wechatSignIn")).click()
    expect(page.get_by_role("heading", name=say("wechatPhoneTitle"))).to_be_visible()
    assert page.url.endswith("/w")
    look(page, f"wechat-phone-{language}")
    look_large(page, f"wechat-phone-{language}")
    page.get_by_label(say("wechatPhone")).fill(number)
    page.get_by_role("button", name=say("wechatSend")).click()
    page.get_by_label(say("wechatCode"), exact=False).fill("000000")
    page.get_by_role("button", name=say("wechatBind")).click()
    expect(page.get_by_role("alert").or_(page.locator(".error")).first).to_be_visible()
    look(page, f"wechat-code-{language}")
    page.get_by_label(say("wechatCode"), exact=False).fill(code_for(organizing, number))
    page.get_by_role("button", name=say("wechatBind")).click()
    card = page.get_by_test_id("wechat-card")
    expect(card.get_by_text(say("wechatBoundWord"), exact=True)).to_be_visible()
    assert page.url.endswith("/c/account")
    look(page, f"wechat-account-{language}")
    look_large(page, f"wechat-account-{language}")

    again = phone(language)
    again.goto("/c/account")
    again.get_by_role("button", name=say("wechatSignIn")).click()
    expect(again.get_by_test_id("wechat-card")).to_contain_text(say("wechatBoundWord"))
    again.get_by_role("button", name=say("wechatUnbind")).click()
    expect(again.get_by_role("button", name=say("wechatBindGo"))).to_be_visible()
    look(again, f"wechat-unbound-{language}")


@pytest.mark.parametrize("language", LOCALES)
def test_who_does_not_follow_sees_the_qr_code_before_registering(
    language: str, phone: OpenPhone, organizing: Organizer, played: PlayedWeChat
) -> None:
    say = words_of("wechat", language=language)
    played.user = f"openid-follower-{language}"
    page = phone(language)
    page.goto(f"/e/{organizing.event_id}")
    expect(page.get_by_role("img", name=say("followPicture"))).to_be_visible()
    assert page.evaluate("document.querySelector('img').naturalWidth") > 20
    expect(page.locator("form")).to_have_count(0)
    page.get_by_role("button", name=say("followAgain")).click()
    expect(page.get_by_role("status").filter(has_text=say("followNot"))).to_be_visible()
    look(page, f"wechat-follow-{language}")
    look_large(page, f"wechat-follow-{language}")
    played.followers.add(played.user)
    page.get_by_role("button", name=say("followAgain")).click()
    expect(page.locator("form")).to_be_visible()
    page.reload()
    expect(page.locator("form")).to_be_visible()


def test_wechat_being_down_keeps_nobody_from_registering(
    phone: OpenPhone, organizing: Organizer, played: PlayedWeChat
) -> None:
    say = words_of("wechat")
    played.user = "openid-of-somebody"
    page = phone("zh")
    page.goto(f"/e/{organizing.event_id}")
    expect(page.get_by_test_id("follow-first")).to_contain_text(say("followTitle"))
    played.status = 502
    try:
        page.get_by_role("button", name=say("followAgain")).click()
        expect(page.get_by_role("heading", name=say("followDown"))).to_be_visible()
        look(page, "wechat-down-zh")
        page.get_by_role("button", name=say("followSkip")).click()
        expect(page.locator("form")).to_be_visible()
    finally:
        played.status = 200


def test_outside_wechat_nothing_of_it_is_asked(
    contexts: Callable[..., BrowserContext], wechat_product: Product, organizing: Organizer
) -> None:
    page = contexts(base_url=wechat_product.url, locale="zh-CN", **PHONE_390).new_page()
    page.goto(f"/e/{organizing.event_id}")
    expect(page.locator("form")).to_be_visible()
    page.goto("/c/sign-in")
    expect(page.get_by_role("button", name=words_of("console")("sendCode"))).to_be_visible()
    assert page.get_by_role("button", name=words_of("wechat")("wechatSignIn")).count() == 0


def test_a_link_of_somebody_else_ends_calmly(phone: OpenPhone, played: PlayedWeChat) -> None:
    say = words_of("wechat")
    page = phone("zh")
    page.goto(f"/w?code={played.code('openid-of-an-attacker')}&state=theirs")
    expect(page.get_by_role("heading", name=say("wechatFailed"))).to_be_visible()
    assert page.url.endswith("/w")
    look(page, "wechat-refused-zh")
    page.get_by_role("button", name=say("wechatByPhone")).click()
    expect(page.get_by_role("button", name=words_of("console")("sendCode"))).to_be_visible()


def test_the_phone_page_offers_wechat_where_it_asks_to_sign_in(
    phone: OpenPhone, organizing: Organizer, played: PlayedWeChat
) -> None:
    page = phone("zh")
    page.goto(f"/p/{organizing.event_id}")
    find = words_of("play-find", "play")
    page.locator("form input").first.fill("选手500")
    page.get_by_role("button", name=find("findGo")).click()
    page.get_by_role("button", name=find("thisIsMe")).click()
    expect(page.get_by_role("heading", name=find("signInTitle"))).to_be_visible()
    expect(page.get_by_role("button", name=words_of("wechat")("wechatSignIn"))).to_be_visible()
    look(page, "wechat-play-zh")


@pytest.mark.parametrize("language", LOCALES)
def test_the_switch_is_disabled_with_the_reason_until_an_account_is_set_up(
    language: str,
    contexts: Callable[..., BrowserContext],
    product: Product,
    organizing: Organizer,
    wechat_product: Product,
) -> None:
    say = words_of("console-options", language=language)
    options: dict[str, Any] = {**DESKTOP, "locale": LOCALES[language]}
    for running, ready in ((product, False), (wechat_product, True)):
        page = contexts(base_url=running.url, **options).new_page()
        organizer = sign_in(page, f"1380013{7300 + len(language) + 10 * ready + (language == 'en')}")
        organizer.create([])
        page.goto(f"/c/{organizer.event_id}/settings/registration")
        row = page.locator(".setting").filter(has_text=say("setWechat")).first
        expect(row).to_be_visible()
        expect(row.get_by_text(say("laterWechat"))).to_have_count(0 if ready else 1)
        expect(row.get_by_role("switch")).to_be_enabled() if ready else expect(
            row.get_by_role("switch")
        ).to_be_disabled()
        keep_picture(page, f"wechat-setting-{'ready' if ready else 'off'}-{language}")
