"""The values of settings: how a request's values become text, and which values are placeholders."""

import json
import re
from typing import Any

from box_answers import refused

PLACEHOLDER = re.compile(r'change[-_ ]?me|replace[-_ ]?me|^placeholder$', re.IGNORECASE)


def as_text(value: Any) -> str:
    if value is None:
        return ''
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def coerced(settings: dict[str, Any]) -> dict[str, str]:
    """The values as `.env` will hold them. Refuses names and values that no environment variable can have."""
    changes = {}
    for key, value in settings.items():
        text = as_text(value)
        changes[key] = text
    problems = {key: problem_with(key, value) for key, value in changes.items()}
    for problem in problems.values():
        if problem is not None:
            raise refused('values', problem)
    return changes


def problem_with(key: str, value: str) -> str | None:
    if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_]*', key):
        return 'a setting has a name that no variable can have'
    if re.search('[\0\ud800-\udfff]', value):
        return f'{key} has a value that no variable can have'
    return None


def placeholders(values: dict[str, str]) -> list[str]:
    """The keys of the values that are placeholders."""
    return sorted(key for key, value in values.items() if PLACEHOLDER.search(value))
