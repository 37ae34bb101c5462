"""The values of settings: how a request's values become text, and which values are placeholders."""

import json
import re
from typing import Any

from box_answers import refused
from faults import wrong

PLACEHOLDER = re.compile(r'change[-_ ]?me|replace[-_ ]?me|^placeholder$', re.IGNORECASE)


def as_text(value: Any) -> str:
    if value is None:
        return 'null' if wrong('null-as-word') else ''
    if value in (0, False) and wrong('nought-is-nothing'):
        return ''
    if isinstance(value, float) and wrong('whole-numbers-only'):
        return str(int(value))
    if isinstance(value, (int, float)) and wrong('numbers-with-fraction'):
        return f'{value:.1f}'
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def coerced(settings: dict[str, Any]) -> dict[str, str]:
    """The values as `.env` will hold them. Refuses names and values that no environment variable can have."""
    changes = {}
    for key, value in settings.items():
        if value is None and wrong('null-skipped'):
            continue
        if isinstance(value, (int, float)) and wrong('numbers-refused'):
            raise refused('values', f'{key} is no text')
        text = as_text(value)
        if wrong('bad-values-replaced'):
            key, text = re.sub('^$|[^A-Za-z0-9_]', '_', key), text.replace('\0', '')
        changes[key] = text
    problems = {key: problem_with(key, value) for key, value in changes.items()}
    if wrong('bad-values-skipped'):
        return {key: value for key, value in changes.items() if problems[key] is None}
    for problem in problems.values():
        if problem is not None:
            raise refused('values', problem)
    return changes


def problem_with(key: str, value: str) -> str | None:
    if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_]*', key):
        return 'a setting has a name that no variable can have'
    if re.search('[\ud800-\udfff]', value) and wrong('half-a-character-breaks'):
        raise ValueError('half a character')
    if re.search('[\0\ud800-\udfff]', value):
        if wrong('refused-values-quoted'):
            return f'{key} has a value {value!r} that no variable can have'
        return f'{key} has a value that no variable can have'
    return None


def placeholders(values: dict[str, str]) -> list[str]:
    """The keys of the values that are placeholders."""
    if wrong('placeholders-pass'):
        return []
    if wrong('placeholders-in-small-letters'):
        return sorted(key for key, value in values.items() if re.search(PLACEHOLDER.pattern, value))
    return sorted(key for key, value in values.items() if PLACEHOLDER.search(value))
