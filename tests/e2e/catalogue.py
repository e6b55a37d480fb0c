"""What the pages say: the tests look for the very words of the pages' own catalogues."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from infra.launcher.paths import WEB

_PLURAL = re.compile(r"\{(\w+)\|([^|}]*)\|([^}]*)\}")
_ENTRY = re.compile(r"""^  (\w+): (['"`])(.*)\2,$""", re.MULTILINE)


@cache
def _catalogue(name: str, language: str) -> dict[str, str]:
    text = (WEB / "src" / "shared" / "i18n" / language / f"{name}.ts").read_text(encoding="utf-8")
    return {key: words.replace("\\'", "'") for key, _quote, words in _ENTRY.findall(text)}


def words_of(*names: str, language: str = "zh") -> Callable[..., str]:
    """A function from a key and its values to the words, looked up in these catalogues, the first that has it.

    Raises KeyError for a key that none of them has.
    """
    catalogues = [_catalogue(name, language) for name in names]

    def say(key: str, **values: object) -> str:
        words = next((found[key] for found in catalogues if key in found), None)
        if words is None:
            raise KeyError(f"{key} in {', '.join(names)} ({language})")
        words = _PLURAL.sub(lambda one: one[2] if values.get(one[1]) == 1 else one[3], words)
        for name, value in values.items():
            words = words.replace(f"{{{name}}}", str(value))
        return words

    return say
