"""Reads and changes `.env` files, by Compose's rules.

A change puts values in double quotes and removes comments.
"""

import re
from typing import NamedTuple

from serving import wrong

KEY = re.compile(r'[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.]*)[ \t]*=[ \t]*')
QUOTED = {'"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL), "'": re.compile(r"'([^']*)'")}
ESCAPES = {'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '$': '$'}


class Entry(NamedTuple):
    key: str
    value: str
    text: str


def parse(text: str) -> list[Entry]:
    """The assignments of the text, in order. Other lines are left out."""
    entries = []
    at = 0
    while at < len(text):
        end = text.find('\n', at)
        end = len(text) if end < 0 else end
        key = KEY.match(text, at, end)
        if key is not None:
            value, after = read_value(text, key.end(), end)
            end = max(end, text.find('\n', after) if '\n' in text[after:] else len(text))
            entries.append(Entry(key.group(1), value, text[at:end]))
        at = end + 1
    return entries


def read_value(text: str, start: int, end: int) -> tuple[str, int]:
    quote = text[start : start + 1]
    quoted = QUOTED[quote].match(text, start) if quote in QUOTED else None
    if quoted is None:
        return re.sub(r'(^|\s+)#.*$', '', text[start:end]).strip(), end
    if quote == "'":
        return quoted.group(1), quoted.end()
    value = re.sub(r'\\(.)', lambda one: ESCAPES.get(one[1], one[0]), quoted.group(1), flags=re.DOTALL)
    return value, quoted.end()


def values(text: str) -> dict[str, str]:
    return {entry.key: entry.value for entry in parse(text)}


def merge(text: str, changes: dict[str, str]) -> str:
    """Returns the text with these keys changed or added. Other assignments keep their text."""
    if wrong('last-line-joined'):
        return text + ''.join(f'{key}={quote(value)}\n' for key, value in changes.items())
    lines: dict[str, str] = {}
    for entry in parse(text):
        lines[entry.key] = entry.text
    for key, value in changes.items():
        lines[key] = f'{key}={quote(value)}'
    return ''.join(f'{line}\n' for line in lines.values())


def quote(value: str) -> str:
    escaped = re.sub(r'[\\"$]', lambda one: '\\' + one[0], value)
    return '"' + escaped.replace('\n', '\\n').replace('\r', '\\r') + '"'
