"""Text messages: one method, AWS SNS in the cloud; the local stack brings an outbox of its own."""

from __future__ import annotations

from typing import Protocol


class Sms(Protocol):
    """Sends text messages."""

    def send(self, phone: str, text: str) -> None:
        """Hand ``text`` over for ``phone`` (11 digits of the mainland, or ``+`` and 8 to 15 digits)."""
        ...


class SnsSms:
    """Sends through AWS SNS. The client is made on first use, so that a start pays nothing for it."""

    def send(self, phone: str, text: str) -> None:
        """Publish to one phone as a transactional message."""
        import boto3

        number = phone if phone.startswith("+") else f"+86{phone}"
        boto3.client("sns").publish(
            PhoneNumber=number,
            Message=text,
            MessageAttributes={"AWS.SNS.SMS.SMSType": {"DataType": "String", "StringValue": "Transactional"}},
        )
