"""Reads and changes `.env` files, by Compose's rules.

A change puts values in double quotes, and keeps all other lines.
"""

import re
from typing import NamedTuple

from faults import wrong

KEY = re.compile(r'[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.]*)[ \t]*=[ \t]*')
QUOTED = {'"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL), "'": re.compile(r"'([^']*)'")}
ESCAPES = {'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '$': '$'}


class Entry(NamedTuple):
    key: str
    value: str
    start: int
    end: int
    comment: str


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
            behind = text[after:end].strip()
            comment = f' {behind}' if behind.startswith('#') else ''
            entries.append(Entry(key.group(1), value, at, end, comment))
        at = end + 1
    return entries


def read_value(text: str, start: int, end: int) -> tuple[str, int]:
    quote = text[start : start + 1]
    quoted = QUOTED[quote].match(text, start) if quote in QUOTED else None
    if quoted is None:
        value = re.sub(r'(^|\s+)#.*$', '', text[start:end])
        return value.strip(), start + len(value)
    if quote == "'":
        return quoted.group(1), quoted.end()
    value = re.sub(r'\\(.)', lambda one: ESCAPES.get(one[1], one[0]), quoted.group(1), flags=re.DOTALL)
    return value, quoted.end()


def has_open_quote(text: str) -> bool:
    """Whether a value begins with a quote that nothing closes: it would swallow what follows."""
    starts = [KEY.match(text, entry.start).end() for entry in parse(text)]
    return any(text[at : at + 1] in QUOTED and not QUOTED[text[at]].match(text, at) for at in starts)


def values(text: str) -> dict[str, str]:
    return {entry.key: entry.value for entry in parse(text)}


def merge(text: str, changes: dict[str, str]) -> str:
    """Returns the text with these keys changed where they are, or added. Everything else stays."""
    if wrong('last-line-joined'):
        return text + ''.join(f'{key}={quote(value)}\n' for key, value in changes.items())
    if wrong('other-keys-unquoted'):
        return ''.join(f'{key}={value}\n' for key, value in {**values(text), **changes}.items())
    if wrong('comments-lost'):
        text = ''.join(f'{text[entry.start : entry.end]}\n' for entry in parse(text))
    merged = ''
    at = 0
    for entry in parse(text):
        if entry.key in changes and not (wrong('first-line-changes') and entry.key in values(merged)):
            merged += f'{text[at : entry.start]}{entry.key}={quote(changes[entry.key])}'
            if not wrong('comment-behind-lost'):
                merged += entry.comment
            at = entry.end
    merged += text[at:]
    known = values(text)
    added = [f'{key}={quote(value)}\n' for key, value in changes.items() if key not in known]
    return merged + ('\n' if added and merged and not merged.endswith('\n') else '') + ''.join(added)


def quote(value: str) -> str:
    if wrong('values-unquoted'):
        return value
    escaped = re.sub(r'[\\"$]', lambda one: '\\' + one[0], value)
    return '"' + escaped.replace('\n', '\\n').replace('\r', '\\r') + '"'
