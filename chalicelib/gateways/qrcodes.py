"""QR codes 二维码 as SVG, for pages, posters and table cards; as PNG for who holds a finger on one in WeChat."""

QUIET_ZONE_MODULES = 4  # ISO/IEC 18004 asks for four


def qr_svg(text: str) -> str:
    """A QR code of `text` (UTF-8, up to about 2,300 bytes) as one `<svg>` element.

    Error correction level M (15 %), a white ground and a quiet zone of four modules, so that it scans from
    dark screens too; one path, no style attributes (the pages' CSP forbids them). It scales by CSS through
    its viewBox. Raises `ValueError` when the text is empty or too long for a QR code.
    """
    from qrcode.constants import ERROR_CORRECT_M
    from qrcode.exceptions import DataOverflowError
    from qrcode.image.svg import SvgPathFillImage
    from qrcode.main import QRCode

    if not text:
        raise ValueError("nothing to encode")
    code = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET_ZONE_MODULES, image_factory=SvgPathFillImage)
    code.add_data(text)
    try:
        code.make(fit=True)
    except (DataOverflowError, ValueError) as error:
        raise ValueError("text is too long for a QR code") from error
    svg: str = code.make_image().to_string(encoding="unicode")
    return svg


def qr_png(text: str) -> str:
    """The same as a PNG in a `data:` address: WeChat recognises a code under the finger in pictures of pixels only.

    Raises `ValueError` when the text is empty or too long for a QR code.
    """
    import base64
    import io

    from qrcode.constants import ERROR_CORRECT_M
    from qrcode.exceptions import DataOverflowError
    from qrcode.image.pure import PyPNGImage
    from qrcode.main import QRCode

    if not text:
        raise ValueError("nothing to encode")
    code = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET_ZONE_MODULES, image_factory=PyPNGImage)
    code.add_data(text)
    try:
        code.make(fit=True)
    except (DataOverflowError, ValueError) as error:
        raise ValueError("text is too long for a QR code") from error
    stream = io.BytesIO()
    code.make_image().save(stream)
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()
