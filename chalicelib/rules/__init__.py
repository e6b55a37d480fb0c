"""The game and the tournament: pure functions on frozen values. No clock, no network, no randomness but a seed.

Where to find what (every public function is pure and takes an ``Event`` of ``model.py``):

- ``document.parse(text) -> Event`` (raises ``DocumentFaults``), ``document.to_document(event) -> dict``
- ``kinds.KINDS[code]``: the ten kinds of event as data; ``criteria.CRITERIA[code]``: what ranks
- ``standings.standings(event, through_round=None, addends=True) -> Standings``, ``standings.to_json``
- ``standings.ranking_for_pairing(event) -> list[Placing]``: standings' order with exact ties, for ``pairing``
- ``clubs`` (团体 ranking), ``prizes``, ``check.faults(event)``, ``table_state`` (one table's submissions)
- ``pairing.draw(event) -> Drawn | Refusal``: the next round
- ``command_line``: ``standings``, ``pair`` and ``check`` for files
"""
