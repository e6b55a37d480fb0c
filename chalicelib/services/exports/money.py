"""Fees 费用: what every entry owes, has paid and got back."""

from collections.abc import Sequence
from decimal import Decimal

from chalicelib.gateways.spreadsheets import Column, OutCell, OutSheet
from chalicelib.services.exports.cells import TIME_WIDTH, local_time
from chalicelib.services.exports.facts import FeeFacts
from chalicelib.services.exports.words import Language, word

FEN_PER_YUAN = 100


def fees_sheet(fees: Sequence[FeeFacts], zone: str, language: Language) -> OutSheet:
    """One row per entry in yuan, and a last row of totals."""
    columns = (
        Column(word("no", language), "whole"),
        Column(word("team", language)),
        Column(word("club", language)),
        *(Column(word(code, language), "money") for code in ("entry_fee", "extra_fee", "paid", "refunded")),
        Column(word("state", language)),
        Column(word("method", language)),
        Column(word("paid_at", language), width=TIME_WIDTH),
    )
    rows: list[tuple[OutCell, ...]] = [
        (
            fee.label.no,
            fee.label.name,
            fee.label.club,
            *map(_yuan, (fee.entry_fee, fee.extra_fee, fee.paid, fee.refunded)),
            word(f"fee_{fee.state}", language),
            fee.method,
            local_time(fee.paid_at, zone),
        )
        for fee in fees
    ]
    totals = (
        sum(fee.entry_fee for fee in fees),
        sum(fee.extra_fee for fee in fees),
        sum(fee.paid for fee in fees),
        sum(fee.refunded for fee in fees),
    )
    rows.append((None, word("total", language), None, *map(_yuan, totals), None, None, None))
    return OutSheet(word("fees", language), columns, tuple(rows))


def _yuan(fen: int) -> Decimal:
    return Decimal(fen) / FEN_PER_YUAN
