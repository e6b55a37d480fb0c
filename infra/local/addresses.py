"""Under which addresses a hall reaches this machine, and one of them as a QR code."""

from __future__ import annotations

import io
import socket

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - recognized here, bound only where the organizer asks for it
# Addresses of documentation: a UDP socket "connected" to them sends nothing, but shows which interface would.
_SOMEWHERE = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))


def hall_addresses() -> list[str]:
    """The machine's own addresses in the local network, the likeliest first; empty without a network."""
    found: list[str] = []
    for target, family in _SOMEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                found.append(probe.getsockname()[0])
        except OSError:
            continue
    try:
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except OSError:
        found += []
    return list(dict.fromkeys(address for address in found if not address.startswith(("127.", "::1", "fe80"))))


def url(host: str, port: int) -> str:
    """The address a browser opens."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def banner(host: str, port: int) -> str:
    """What the server says when it is up: addresses, and for a hall a QR code."""
    if host not in EVERYWHERE:
        return f"掼军 Guanjun: {url(host, port)}"
    lines = [f"掼军 Guanjun: {url('127.0.0.1', port)}"]
    addresses = hall_addresses()
    lines += [f"  现场 hall: {url(address, port)}" for address in addresses]
    if addresses:
        lines.append(qr_code(url(addresses[0], port)))
    return "\n".join(lines)


def qr_code(text: str) -> str:
    """A QR code in half-height blocks for a terminal."""
    import qrcode

    code = qrcode.QRCode(border=2)
    code.add_data(text)
    output = io.StringIO()
    code.print_ascii(out=output, invert=True)
    return output.getvalue()
