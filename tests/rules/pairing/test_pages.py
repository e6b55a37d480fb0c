"""The pages on pairing show what the code computes, in both languages."""

from __future__ import annotations

import re

import pytest

from tests.rules.pairing.page_examples import PAGES, PLACE, example, filled


@pytest.mark.parametrize("language", PAGES)
def test_examples_are_what_the_code_computes(language: str) -> None:
    page = PAGES[language].read_text("utf-8")
    assert filled(page, language) == page, "run: python -m tests.rules.pairing.page_examples"


@pytest.mark.parametrize("language", PAGES)
def test_every_example_stands_in_every_page(language: str) -> None:
    found = PLACE.findall(PAGES[language].read_text("utf-8"))
    assert sorted(name for _, name, _ in found) == sorted(example.examples)


def test_both_pages_have_the_same_sections() -> None:
    numbers = [re.findall(r"^## (\d+)\.", page.read_text("utf-8"), re.MULTILINE) for page in PAGES.values()]
    assert numbers[0] == numbers[1]
    assert len(numbers[0]) > 10
