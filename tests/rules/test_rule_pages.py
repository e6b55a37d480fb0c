"""The pages that explain the rules show what the code computes, in both languages."""

import re

import pytest

from tests.rules.rule_examples import EXAMPLES, PAGES, PLACE, filled


@pytest.mark.parametrize("language", PAGES)
def test_examples_are_what_the_code_computes(language):
    page = PAGES[language].read_text("utf-8")
    assert filled(page, language) == page, "run: python -m tests.rules.rule_examples"


@pytest.mark.parametrize("language", PAGES)
def test_every_example_stands_in_every_page(language):
    page = PAGES[language].read_text("utf-8")
    assert sorted(found[2] for found in PLACE.finditer(page)) == sorted(EXAMPLES)


def test_both_pages_have_the_same_sections():
    numbers = [re.findall(r"^#+ (\d+)\.", PAGES[language].read_text("utf-8"), re.MULTILINE) for language in PAGES]
    assert numbers[0] == numbers[1]
    assert len(numbers[0]) > 5
