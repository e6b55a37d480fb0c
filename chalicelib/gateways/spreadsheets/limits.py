"""How much of a foreign file is read before it is refused.

The first two are promised in the product's description; the others bound memory and time for files
made to hurt, at values that no real roster comes near.
"""

MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_ROWS = 20_000

MAX_COLUMNS = 200
MAX_CELL_CHARACTERS = 32_767  # Excel's own limit

MAX_PACKAGE_PARTS = 2_000
MAX_UNPACKED_BYTES = 64 * 1024 * 1024
MAX_XML_ELEMENTS = 2_000_000
MAX_OTHER_ELEMENTS = 300_000  # besides cells and their texts: openpyxl builds costly objects for these
MAX_XML_DEPTH = 64
MAX_CELLS_PER_ROW = 16_384  # Excel's own limit
MAX_SHARED_STRINGS = 400_000
MAX_CELL_FORMATS = 65_490  # Excel's own limit
MAX_MERGED_CELLS = 20_000
LAST_ROW_NUMBER = 1_048_576  # Excel's own limit
