"""Reads an app's manifest and icon."""

import re
import stat
from pathlib import Path
from typing import Any

from serving import read_json
from setting_values import as_text

MANIFEST = 'manifest.json'
LARGEST_ICON = 16384
SCRIPT = '<script'
JAVASCRIPT = 'javascript:'
EVENT = r'\bon[a-z]+\s*='
HARMFUL = re.compile(f'{SCRIPT}|{JAVASCRIPT}|{EVENT}', re.IGNORECASE)


class Unreadable(Exception):
    """A manifest that cannot be read, with the reason."""


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        text = (folder / MANIFEST).read_bytes()
        manifest = read_json(text)
    except OSError as problem:
        raise Unreadable(f'manifest.json: {problem.strerror}') from problem
    except ValueError as problem:
        raise Unreadable(f'manifest.json is no JSON: {problem}') from problem
    if not isinstance(manifest, dict):
        raise Unreadable('manifest.json holds no object')
    for field, kind in (('version', str), ('display_name', str), ('description', str), ('icon', str)):
        if not isinstance(manifest.get(field, ''), kind):
            raise Unreadable(f'manifest.json: {field} is no text')
    if not isinstance(manifest.get('description_long', ''), str) or not isinstance(manifest.get('ports', []), list):
        raise Unreadable('manifest.json: description_long or ports is of the wrong kind')
    settings = settings_of(manifest)
    if not isinstance(settings, list) or not all(
        isinstance(one, dict) and isinstance(one.get('name'), str) for one in settings
    ):
        raise Unreadable('manifest.json: settings is no list of settings')
    return manifest


def readable(folder: Path) -> bool:
    try:
        read_manifest(folder)
        return True
    except Unreadable:
        return False


def settings_of(manifest: dict[str, Any]) -> Any:
    return manifest.get('settings') or []


def texts_of(manifest: dict[str, Any], folder: Path) -> dict[str, Any]:
    return {
        'description_long': manifest.get('description_long', ''),
        'description': manifest.get('description', ''),
        'display_name': manifest.get('display_name') or folder.name,
        'name': folder.name,
    }


def summary(folder: Path) -> dict[str, Any]:
    manifest = read_manifest(folder)
    icon = manifest.get('icon', '')
    app = {
        'has_settings': len(settings_of(manifest)) > 0,
        'icon_svg': read_icon(folder, icon),
        'icon': icon,
        'ports': manifest.get('ports', []),
        'version': manifest.get('version', ''),
        **texts_of(manifest, folder),
    }
    return app


def setting_entry(setting: dict[str, Any], values: dict[str, str]) -> dict[str, Any]:
    name = setting['name']
    label = str(setting.get('label', name))
    default = setting.get('default')
    default = None if default is None else as_text(default)
    start = default or ''
    value = values.get(name, start)
    kind = str(setting.get('type', 'text'))
    entry = {
        'value': '' if kind == 'password' else value,
        'default': default,
        'required': bool(setting.get('required', False)),
        'type': kind,
        'description': str(setting.get('description', '')),
        'label': label,
        'name': name,
    }
    return entry


def read_icon(folder: Path, name: str) -> str | None:
    """The icon's markup. `null` if there is no icon, or it does not keep the rules of icons."""
    if name == '' or '/' in name or '\0' in name:
        return None
    icon = folder / name
    try:
        if not stat.S_ISREG(icon.lstat().st_mode):
            return None
        content = icon.read_bytes()
        text = content.decode('utf-8', 'strict')
    except (OSError, ValueError):
        return None
    if len(content) > LARGEST_ICON:
        return None
    return checked_markup(text.strip())


def checked_markup(text: str) -> str | None:
    if text.startswith('<?xml'):
        end = text.find('?>')
        if end < 0:
            return None
        text = text[end + len('?>') :].strip()
    if HARMFUL.search(text):
        return None
    start = text
    if not start.startswith('<svg'):
        return None
    return text
