"""Text messages of the local stack: kept for the on-screen outbox and shown on the server's console."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

KEPT = 100


@dataclass(frozen=True)
class Message:
    """One message; ``sent_at`` in milliseconds since 1970 UTC."""

    phone: str
    text: str
    sent_at: int


class Outbox:
    """The SMS gateway of a machine without a provider. In memory only: a code lives five minutes anyway."""

    def __init__(self, show: Callable[[str], None] = print, clock: Callable[[], float] = time.time) -> None:
        """``show`` prints a line for the person at the server; ``clock``: seconds since 1970."""
        self._show = show
        self._clock = clock
        self._lock = threading.Lock()
        self._messages: deque[Message] = deque(maxlen=KEPT)

    def send(self, phone: str, text: str) -> None:
        """Keep a message and show it, the number masked."""
        with self._lock:
            self._messages.appendleft(Message(phone, text, int(self._clock() * 1000)))
        self._show(f"短信 SMS {phone[:3]}****{phone[-4:]}: {text}")

    def messages(self) -> list[Message]:
        """What was sent, newest first."""
        with self._lock:
            return list(self._messages)
