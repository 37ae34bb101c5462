"""Reads an app's manifest and icon."""

import os
import re
import stat
from pathlib import Path
from typing import Any

from box_faults import faulty_password, faulty_setting, faulty_summary
from faults import pick, wrong
from serving import read_json
from setting_values import as_text

MANIFEST = 'app.json' if wrong('manifest-name') else 'manifest.json'
LARGEST_ICON = pick(16384, (wrong('icon-a-byte-more'), 16385), (wrong('icon-a-byte-less'), 16383))
SCRIPT = pick('<script', (wrong('icon-script-upper'), '(?-i:<script)'), (wrong('icon-script-whole'), r'<script\b'))
JAVASCRIPT = pick(
    'javascript:', (wrong('icon-javascript'), r'$^'), (wrong('icon-javascript-upper'), '(?-i:javascript:)')
)
EVENT = pick(
    r'\bon[a-z]+\s*=',
    (wrong('icon-events'), r'$^'),
    (wrong('icon-events-upper'), r'(?-i:\bon[a-z]+\s*=)'),
    (wrong('icon-events-blank'), r'\bon[a-z]+='),
    (wrong('icon-events-after-blank'), r'\son[a-z]+\s*='),
    (wrong('icon-events-inside'), r'on[a-z]+\s*='),
    (wrong('icon-on-alone'), r'\bon[a-z]*\s*='),
)
HARMFUL = re.compile(f'{SCRIPT}|{JAVASCRIPT}|{EVENT}', re.IGNORECASE)


class Unreadable(Exception):
    """A manifest that cannot be read, with the reason."""


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        text = (folder / MANIFEST).read_bytes()
        manifest = read_json(text.decode('utf-8', 'replace').encode() if wrong('manifest-not-utf-8') else text)
    except OSError as problem:
        if wrong('manifest-that-is-a-folder') and isinstance(problem, IsADirectoryError):
            raise
        raise Unreadable(f'manifest.json: {problem.strerror}') from problem
    except ValueError as problem:
        if wrong('torn-manifest-500'):
            raise
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
    if wrong('settings-are-required') and 'settings' not in manifest:
        raise Unreadable('manifest.json has no settings')
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
        'has_settings': len(settings_of(manifest)) > (1 if wrong('one-setting-is-none') else 0),
        'icon_svg': read_icon(folder, icon),
        'icon': icon,
        'ports': manifest.get('ports', []),
        'version': manifest.get('version', ''),
        **texts_of(manifest, folder),
    }
    return faulty_summary(app)


def setting_entry(setting: dict[str, Any], values: dict[str, str]) -> dict[str, Any]:
    name = setting['name']
    label = str(setting.get('label', name))
    default = setting.get('default')
    default = None if default is None else as_text(default)
    start = pick(default or '', (wrong('no-default-shown'), ''), (wrong('label-as-start'), label))
    value = (values.get(name) or start) if wrong('empty-is-no-value') else values.get(name, start)
    kind = str(setting.get('type', 'text'))
    entry = {
        'value': faulty_password(value, name in values, default, '') if kind == 'password' else value,
        'default': default,
        'required': bool(setting.get('required', False)),
        'type': kind,
        'description': str(setting.get('description', '')),
        'label': label,
        'name': name,
    }
    return faulty_setting(entry)


def read_icon(folder: Path, name: str) -> str | None:
    """The icon's markup. `null` if there is no icon, or it does not keep the rules of icons."""
    if name == '' or '/' in name or '\0' in name:
        return None
    icon = folder / name
    if (wrong('icon-for-folder') and os.path.isdir(icon)) or (wrong('icon-for-absent') and not os.path.lexists(icon)):
        return '<svg/>'
    if wrong('icon-by-its-ending') and not name.endswith('.svg'):
        return None
    try:
        if not stat.S_ISREG(icon.lstat().st_mode):
            return None
        content = icon.read_bytes()
        text = content.decode('utf-8', 'replace' if wrong('icon-not-utf-8') else 'strict')
    except (OSError, ValueError):
        return None
    if len(text if wrong('icon-in-characters') else content) > LARGEST_ICON:
        if wrong('icon-cut-off'):
            text = text[:LARGEST_ICON]
        else:
            return None
    return checked_markup(text if wrong('icon-not-trimmed') else text.strip())


def checked_markup(text: str) -> str | None:
    if text.startswith('<?' if wrong('icon-instruction-dropped') else '<?xml'):
        end = text.find('?>')
        if end < 0 and wrong('icon-declaration-open'):
            end = text.find('<svg') - len('?>')
        if end < 0 or wrong('icon-declaration-stays'):
            return None
        text = text[end + len('?>') :].strip()
    if HARMFUL.search(text) or wrong('icon-never'):
        return None
    start = text[:4].lower() if wrong('icon-in-capitals') else text
    if not (start.startswith('<svg') or (wrong('icon-anywhere') and '<svg' in text)):
        return None
    return text.replace('<', '&lt;') if wrong('icon-escaped') else text
