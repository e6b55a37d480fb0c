"""What is measured on a page: words cut off, scrolling sideways, things that lie upon each other, what axe finds."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page

from infra.launcher.paths import BUILD, WEB

PICTURES = BUILD / "screenshots"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
_GRAVE = ("serious", "critical")

# Elements whose own words stick out of them where they are cut off. Ending in "…" on purpose is no fault as long as
# the whole stands somewhere else, so those and what only screen readers see are left out.
_CUT = """
() => {
  const seen = [];
  for (const element of document.querySelectorAll('body *')) {
    const words = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    const style = getComputedStyle(element);
    if (!words || style.clip !== 'auto' || element.closest('.visually-hidden')) continue;
    if (style.overflowX === 'visible' || style.textOverflow === 'ellipsis') continue;
    if (['auto', 'scroll'].includes(style.overflowX)) continue;
    if (element.scrollWidth > element.clientWidth + 1) seen.push(element.outerHTML.slice(0, 160));
  }
  return seen;
}
"""
# How far the page scrolls sideways, and the innermost elements that reach beyond its edge. The edge is the window's:
# a phone's browser makes its own idea of the page's width larger when something does not fit.
_SIDEWAYS = """
(edge) => {
  const beyond = document.documentElement.scrollWidth - edge;
  if (beyond <= 0) return [];
  const held = (element) => {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
      if (getComputedStyle(one).overflowX !== 'visible') return true;
    }
    return false;
  };
  const out = (element) => element.getBoundingClientRect().right > edge + 0.5 && !held(element);
  const inner = [...document.querySelectorAll('body *')].filter((one) => out(one) && ![...one.children].some(out));
  return [`by ${beyond}`, ...inner.slice(0, 6).map((one) => one.outerHTML.slice(0, 120))];
}
"""

# Controls and words of one page may not lie upon each other. What floats above the page on purpose (bars that stick
# to an edge, sheets, toasts) is left out, and so is whatever lies inside the other.
_OVERLAPS = """
() => {
  const floats = (element) => {
    for (let one = element; one; one = one.parentElement) {
      if (['fixed', 'sticky'].includes(getComputedStyle(one).position)) return true;
    }
    return false;
  };
  const shown = (element) => {
    const style = getComputedStyle(element);
    return style.visibility === 'visible' && Number(style.opacity) > 0 && style.clip === 'auto'
      && !element.closest('.visually-hidden, [aria-hidden="true"]');
  };
  const texts = (element) =>
    [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  const clip = (element) => {
    const seen = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      if (style.overflowX !== 'visible') {
        seen.left = Math.max(seen.left, box.left);
        seen.right = Math.min(seen.right, box.right);
      }
      if (style.overflowY !== 'visible') {
        seen.top = Math.max(seen.top, box.top);
        seen.bottom = Math.min(seen.bottom, box.bottom);
      }
    }
    return seen;
  };
  const boxes = [];
  for (const element of document.querySelectorAll('body *')) {
    if (!shown(element) || floats(element)) continue;
    const control = element.matches('a[href], button, input, select, textarea, summary');
    if (control) boxes.push({ element, rectangles: [...element.getClientRects()] });
    for (const node of texts(element)) {
      const range = document.createRange();
      range.selectNodeContents(node);
      // What is clipped (a name that ends in "…", a list that scrolls) reaches no further than what clips it.
      const seen = clip(element);
      // A font's box is about 1.45 em high, what is drawn in it about 1 em: lines set close do not touch.
      const rectangles = [...range.getClientRects()].map(({ left, top, right, bottom, height }) => ({
        left: Math.max(left, seen.left),
        top: Math.max(top + 0.15 * height, seen.top),
        right: Math.min(right, seen.right),
        bottom: Math.min(bottom - 0.15 * height, seen.bottom),
      }));
      boxes.push({ element, rectangles, text: true });
    }
  }
  const found = [];
  for (let i = 0; i < boxes.length; i += 1) {
    for (let j = i + 1; j < boxes.length; j += 1) {
      const [a, b] = [boxes[i], boxes[j]];
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      // A label drawn over its own field is one thing.
      if (a.element.closest('label') && a.element.closest('label') === b.element.closest('label')) continue;
      for (const one of a.rectangles) {
        for (const two of b.rectangles) {
          const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
          const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
          if (wide > 3 && high > 5) {
            found.push(`${a.element.outerHTML.slice(0, 110)} <> ${b.element.outerHTML.slice(0, 110)}`);
          }
        }
      }
    }
  }
  return [...new Set(found)].slice(0, 8);
}
"""

# What a finger has to hit is at least so high; links within a sentence are as high as their line.
_SMALL = """
() => {
  const least = 44;
  const seen = [];
  for (const element of document.querySelectorAll('button, select, summary, a[href], input, textarea')) {
    const style = getComputedStyle(element);
    if (style.display === 'inline' || style.visibility !== 'visible' || Number(style.opacity) === 0) continue;
    if (element.closest('.visually-hidden, label') || element.disabled) continue;
    const heading = element.closest('thead');
    if (heading && getComputedStyle(heading).clip !== 'auto') continue;
    // The frame of a field of Element Plus takes the tap for the field in it.
    const box = (element.closest('.el-input__wrapper') || element).getBoundingClientRect();
    // What only a keyboard brings in waits above the page.
    if (box.width === 0 || box.bottom <= 0 || style.clip !== 'auto') continue;
    if (box.height < least - 0.5) seen.push(`${Math.round(box.height)}: ${element.outerHTML.slice(0, 120)}`);
  }
  return seen;
}
"""


def faults_of(page: Page) -> list[str]:
    """What does not fit on the page, and still does not when it has come to rest: a window that just changed its width
    may be caught half-way on a busy machine."""
    if not _faults_now(page):
        return []
    page.wait_for_timeout(500)
    return _faults_now(page)


def _faults_now(page: Page) -> list[str]:
    _wait_until(page, "document.fonts.status === 'loaded'")
    faults = [f"cut off: {one}" for one in page.evaluate(_CUT)]
    size = page.viewport_size
    assert size is not None
    faults += [f"scrolls sideways: {one}" for one in page.evaluate(_SIDEWAYS, size["width"])]
    return faults + [f"lies upon: {one}" for one in page.evaluate(_OVERLAPS)]


# Words on the projection's picture that are smaller than what is read from ten metres, with their size in vh.
_TOO_SMALL = """
() => {
  const least = 3.2 * innerHeight / 100 - 0.1;
  const seen = [];
  for (const element of document.querySelectorAll('body *')) {
    const words = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    const style = getComputedStyle(element);
    if (!words || element.closest('.visually-hidden') || style.visibility !== 'visible') continue;
    const size = parseFloat(style.fontSize);
    if (size < least) seen.push(`${(100 * size / innerHeight).toFixed(2)} vh: ${element.outerHTML.slice(0, 120)}`);
  }
  return seen;
}
"""

# Words that the picture's edges, or a view's own, cut off below or at the side; a projection scrolls nowhere.
_OUT_OF_SIGHT = """
() => {
  const frame = (document.querySelector('.picture') || document.body).getBoundingClientRect();
  const seen = [];
  for (const element of document.querySelectorAll('.picture *')) {
    const words = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!words || element.closest('.visually-hidden')) continue;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const out = box.right > innerWidth + 1 || box.bottom > frame.bottom + 1 || box.left < -1;
    const cut = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    if (out || cut) seen.push(element.outerHTML.slice(0, 140));
  }
  return seen;
}
"""


def words_too_small(page: Page) -> list[str]:
    """Words of a projection below 3.2 % of the picture's height, or not wholly in it."""
    found = [f"too small: {one}" for one in page.evaluate(_TOO_SMALL)]
    return found + [f"out of sight: {one}" for one in page.evaluate(_OUT_OF_SIGHT)]


def small_targets(page: Page) -> list[str]:
    """Controls that a finger misses: less than 44 px high."""
    found: list[str] = page.evaluate(_SMALL)
    return found


def enlarge(page: Page, size: str = "24px") -> None:
    """The reader's own larger letters: 150 % of what the pages are made in."""
    page.evaluate("(size) => { document.documentElement.style.fontSize = size }", size)


def axe_faults(page: Page) -> list[str]:
    """What axe finds serious or worse. The page's context must let a script in (`bypass_csp`)."""
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], iframes: false})")
    assert found["passes"], "axe has looked at nothing"
    return [_said(violation) for violation in found["violations"] if violation["impact"] in _GRAVE]


def _said(violation: dict[str, Any]) -> str:
    places = "; ".join(str(node["html"])[:200] for node in violation["nodes"])
    return f"{violation['id']} ({violation['impact']}): {violation['help']}: {places}"


# Takes what moves to its end, and says whether nothing moved. An animation of a page that draws no pictures just now
# never ends by itself, and the promise of its end would be waited for without any limit.
_AT_REST = """() => {
  const moving = document.getAnimations().filter((one) =>
    one.playState !== 'finished' && one.effect.getComputedTiming().endTime !== Infinity);
  for (const one of moving) one.finish();
  return moving.length === 0;
}"""


def _wait_until(page: Page, script: str) -> None:
    """Ask from outside, for the page's own policy lets nobody evaluate text in it; `evaluate` knows no time limit."""
    deadline = time.monotonic() + 15
    while not page.evaluate(script):
        assert time.monotonic() < deadline, f"{page.url} never came to: {script}"
        page.wait_for_timeout(50)


def keep_picture(page: Page, name: str) -> None:
    """The whole page as one picture, unless a sheet covers it; what moves has come to rest."""
    _wait_until(page, _AT_REST)
    size = page.viewport_size
    assert size is not None
    if page.get_by_role("dialog").count() == 0:
        # In a window that is high enough, because bars that stick to its edges would stand in the middle otherwise.
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": size["width"], "height": max(size["height"], height)})
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
