"""Why a whole file cannot be read, in words for the person who chose it."""

from typing import Final

import msgspec

# code -> (Chinese sentence, English sentence); {detail} is filled where the reader knows more.
SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "file_empty": ("文件是空的。", "The file is empty."),
    "file_too_large": (
        "文件超过 10 MB，请删去图片或拆成几个文件。",
        "The file is larger than 10 MB; remove pictures or split it.",
    ),
    "too_many_rows": ("表格超过 20000 行，请拆成几个文件。", "The sheet has more than 20,000 rows; split the file."),
    "too_many_columns": (
        "表格超过 200 列，请只保留报名需要的列。",
        "The sheet has more than 200 columns; keep only those needed.",
    ),
    "unpacks_too_large": (
        "文件解压后过大，为安全起见没有读取。请把报名表复制到新的工作簿后再上传。",
        "The file unpacks to far more than a roster needs and was not read; copy the table into a new workbook.",
    ),
    "too_complex": (
        "文件结构过于复杂，为安全起见没有读取。请把报名表复制到新的工作簿后再上传。",
        "The file is built too intricately and was not read; copy the table into a new workbook.",
    ),
    "forbidden_xml": (
        "文件里有不允许的 XML 声明，没有读取。请用 Excel 或 WPS 另存为 .xlsx。",
        "The file holds XML declarations that are not allowed; save it again as .xlsx with Excel or WPS.",
    ),
    "macros": (
        "文件带有宏，不能读取。请另存为不带宏的 .xlsx。",
        "The file holds macros and is not read; save it as .xlsx without macros.",
    ),
    "encrypted": ("文件有打开密码，请去掉密码后再上传。", "The file is protected by a password; remove it first."),
    "old_xls": (
        "这是旧版 .xls 文件，请在 Excel 或 WPS 里另存为 .xlsx。",
        "This is an old .xls file; save it as .xlsx with Excel or WPS.",
    ),
    "binary_workbook": (
        "这是 .xlsb 二进制工作簿，请另存为 .xlsx。",
        "This is a binary .xlsb workbook; save it as .xlsx.",
    ),
    "strict_workbook": (
        "这是“Strict Open XML”格式，请另存为普通的“Excel 工作簿 (.xlsx)”。",
        "This is a Strict Open XML workbook; save it as an ordinary Excel workbook (.xlsx).",
    ),
    "web_page": (
        "这是网页格式的表格（改了扩展名），请用 Excel 或 WPS 打开后另存为 .xlsx。",
        "This is a web page under another name; open it with Excel or WPS and save it as .xlsx.",
    ),
    "unsupported_format": (
        "只能读取 .xlsx 和 .csv 文件。",
        "Only .xlsx and .csv files can be read.",
    ),
    "broken_workbook": (
        "文件已损坏或不完整，请重新保存或重新下载后再上传。",
        "The file is damaged or incomplete; save or download it again.",
    ),
    "broken_csv": (
        "第 {detail} 行附近的引号不成对，无法分列。",
        "The quotation marks near line {detail} do not match, so the columns cannot be told apart.",
    ),
    "binary_file": (
        "文件里有不是文字的内容（空字节），不是表格文件。",
        "The file holds bytes that are not text; it is not a table.",
    ),
    "unknown_encoding": (
        "认不出文件的文字编码，请另存为 UTF-8 编码的 .csv 或 .xlsx。",
        "The text encoding is not UTF-8 or GB18030; save it as UTF-8 .csv or as .xlsx.",
    ),
    "mixed_encoding": (
        "文件混用了两种文字编码（第 {detail} 行是 UTF-8，其他行是 GB18030），请统一后再上传。",
        "The file mixes two text encodings (line {detail} is UTF-8, others are GB18030).",
    ),
    "no_rows": ("文件里没有可见的内容。", "The file has no visible content."),
}


class FileFault(msgspec.Struct, frozen=True):
    """Why a file as a whole was refused: a stable code and a sentence in both languages."""

    code: str
    message_zh: str
    message_en: str


class Unreadable(Exception):
    """Raised inside this package where a file cannot be read on; the public function turns it into a fault."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail

    def fault(self) -> FileFault:
        chinese, english = SENTENCES[self.code]
        return FileFault(self.code, chinese.format(detail=self.detail), english.format(detail=self.detail))
