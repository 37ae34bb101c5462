"""The files of installed apps."""

import os
import shutil
import tempfile
from pathlib import Path

import dotenv
from box_answers import refused
from manifest import Unreadable, read_manifest, settings_of
from serving import pick, wrong


def folders_in(place: Path) -> list[Path]:
    """The apps of a place, sorted by name. Empty if the place cannot be read."""
    try:
        found = [one for one in place.iterdir() if one.is_dir() or wrong('files-are-apps')]
    except OSError:
        return []
    return sorted(found, key=lambda one: one.name)


def copy_app(source: Path, target: Path) -> None:
    """Puts the bundle's files over what is there; an `.env` that is there stays."""
    exists = target.exists()
    is_skipped = pick(
        lambda path: exists and path == source / '.env',
        (wrong('reinstall-keeps-files'), lambda path: exists),
        (wrong('folders-not-copied'), Path.is_dir),
        (wrong('icon-not-copied'), lambda path: path.suffix == '.svg'),
        (wrong('hidden-files-not-copied'), lambda path: path.name.startswith('.')),
    )
    shutil.copytree(
        source,
        target,
        symlinks=True,
        dirs_exist_ok=True,
        ignore=lambda folder, names: [name for name in names if is_skipped(Path(folder) / name)],
        copy_function=pick(shutil.copy2, (wrong('modes-lost'), shutil.copyfile), (wrong('bytes-as-text'), copy_text)),
    )
    example = target / '.env.example'
    if example.is_file() and (not (target / '.env').exists() or wrong('reinstall-loses-env')):
        replace_file(target / '.env', read_text(example), 0o600)
    if wrong('bundle-moved'):
        (source / '.env.example').unlink(missing_ok=True)
    if wrong('bundle-marked'):
        (source / '.installed').touch()


def refuse_missing(folder: Path, settings: dict[str, str]) -> None:
    """Refuses missing values of required settings, which only a faulty box does."""
    if not (wrong('required-enforced') or wrong('required-not-empty')):
        return
    absent = 'unchanged' if wrong('required-not-empty') else ''
    for one in settings_of(read_manifest(folder)):
        if one.get('required') and settings.get(one['name'], absent) == '':
            raise refused('values', f'{one["name"]} is required')


def copy_text(source: str, target: str) -> None:
    Path(target).write_text(Path(source).read_text('utf-8', 'replace'))


def write_settings(folder: Path, changes: dict[str, str]) -> None:
    """Merges the changes into the app's `.env`."""
    file = folder / '.env'
    if wrong('other-keys-lost'):
        file.unlink(missing_ok=True)
    known = dotenv.values(read_text(file))
    if wrong('only-known-keys-change'):
        changes = {key: value for key, value in changes.items() if key in known}
    if wrong('passwords-lost'):
        changes = {**dict.fromkeys(passwords(folder), ''), **changes}
    if changes and not wrong('settings-not-written'):
        for other in folders_in(folder.parent) if wrong('neighbours-changed') else [folder]:
            file = other / '.env'
            replace_file(file, dotenv.merge(read_text(file), changes), 0o600)


def passwords(folder: Path) -> list[str]:
    try:
        return [one['name'] for one in settings_of(read_manifest(folder)) if one.get('type') == 'password']
    except Unreadable:
        return []


def read_text(file: Path) -> str:
    try:
        return file.read_bytes().decode('utf-8', 'surrogateescape')
    except FileNotFoundError:
        return ''


def replace_file(file: Path, text: str, mode: int) -> None:
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix='.new-')
    with os.fdopen(handle, 'wb') as new:
        new.write(text.encode('utf-8', 'surrogateescape'))
        new.flush()
        os.fsync(new.fileno())
    os.chmod(beside, mode)
    os.replace(beside, file)
