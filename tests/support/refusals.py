"""Asking for what must be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chalicelib.services.problems import Problem


def refused(act: Callable[..., Any], *arguments: Any, **named: Any) -> Problem:
    """The problem that a call raises."""
    with pytest.raises(Problem) as caught:
        act(*arguments, **named)
    # Every refusal can be said in both languages.
    assert caught.value.document()["detail_zh"]
    return caught.value


def refused_as(code: str, act: Callable[..., Any], *arguments: Any, **named: Any) -> Problem:
    """The same, which must have this code."""
    problem = refused(act, *arguments, **named)
    assert problem.code == code
    return problem
