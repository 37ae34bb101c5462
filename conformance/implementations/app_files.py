"""The files of installed apps."""

import filecmp
import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Callable

import dotenv
from box_answers import refused
from faults import pick, wrong
from manifest import Unreadable, read_manifest, settings_of

# Folders beside the apps: an install that is being copied, and those that only have to be put in place.
UNFINISHED = '.unfinished'
READY = '.ready'

UMASK = os.umask(0o077)
os.umask(UMASK)

FIRST_ENV_MODE = 0o644 if wrong('first-env-for-everybody') else 0o600
CHANGED_ENV_MODE = 0o644 if wrong('changed-env-for-everybody') else 0o600


def folders_in(place: Path) -> list[Path]:
    """The apps of a place, sorted by name. Empty if the place cannot be read."""
    try:
        found = [one for one in place.iterdir() if one.is_dir() or wrong('files-are-apps')]
    except OSError:
        return []
    return sorted((one for one in found if one.name not in (UNFINISHED, READY)), key=lambda one: one.name)


def install_files(source: Path, target: Path, changes: dict[str, str]) -> None:
    """Puts the bundle's files and the changed `.env` over what is there. `finish_installs` finishes after a kill."""
    if wrong('installed-in-place') or (wrong('reinstalled-in-place') and target.exists()):
        copy_bundle(source, target, target, shutil.copy2)
        write_settings(target, changes)
        return
    unfinished = target.parent / UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        copy_bundle(source, target, unfinished, shutil.copy2)
        write_first_env(target, unfinished, changes)
    except OSError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    if wrong('manifest-first') and target.exists():
        (unfinished / 'manifest.json').replace(target / 'manifest.json')
        time.sleep(0.05)
    (target.parent / READY).mkdir(mode=0o700, exist_ok=True)
    unfinished.rename(target.parent / READY / target.name)
    finish_installs(target.parent)
    if wrong('neighbours-changed'):
        write_settings(target, changes)
    if wrong('bundle-moved'):
        (source / '.env.example').unlink(missing_ok=True)
    if wrong('bundle-marked'):
        (source / '.installed').touch()


def finish_installs(place: Path) -> None:
    """Puts complete installs in place, and removes what a kill left of an incomplete one."""
    shutil.rmtree(place / UNFINISHED, ignore_errors=True)
    if (place / READY).exists():
        for new in (place / READY).iterdir():
            put_in_place(new, place / new.name)
        (place / READY).rmdir()


def put_in_place(new: Path, old: Path) -> None:
    """Moves a folder over another. Links in the old folder stay, and so does every file that is only there."""
    if not os.path.lexists(old):
        new.rename(old)
        return
    for one in new.iterdir():
        place = old / one.name
        is_kept = place.is_symlink() and place.name != '.env' and not wrong('links-followed')
        if one.is_dir() and not one.is_symlink():
            if not is_kept and (place.is_dir() or not place.exists()):
                put_in_place(one, place)
        elif wrong('links-followed') and place.is_file():
            place.write_bytes(one.read_bytes())
        elif not is_kept and not place.is_dir():
            keep_edit(place, one)
            one.replace(place)
    shutil.rmtree(new)


def keep_edit(old: Path, new: Path) -> None:
    """Keeps a copy of a file that differs from the new one, because its owner may have edited it."""
    if old.is_file() and old.name != '.env' and not filecmp.cmp(old, new, shallow=False) and not wrong('edits-lost'):
        old.rename(old.with_name(f'{old.name[:50]}.before-{time.time_ns()}'))


def copy_bundle(source: Path, target: Path, copy: Path, copy_file: Callable[[str, str], object]) -> None:
    """Copies the bundle, but no `.env` if the app has one."""
    is_skipped = pick(
        lambda path: target.exists() and path == source / '.env',
        (wrong('reinstall-keeps-files'), lambda path: target.exists()),
        (wrong('folders-not-copied'), Path.is_dir),
        (wrong('icon-not-copied'), lambda path: path.suffix == '.svg'),
        (wrong('hidden-files-not-copied'), lambda path: path.name.startswith('.')),
        (wrong('empty-folders-not-copied'), lambda path: path.is_dir() and not os.listdir(path)),
        (wrong('only-ascii-names-copied'), lambda path: not path.name.isascii()),
    )
    if wrong('reinstall-deletes-first') and target.exists():
        text = read_text(target / '.env')
        shutil.rmtree(target)
        target.mkdir()
        replace_file(target / '.env', text, 0o600)
    shutil.copytree(
        source,
        copy,
        symlinks=True,
        dirs_exist_ok=True,
        ignore=lambda folder, names: [name for name in names if is_skipped(Path(folder) / name)],
        copy_function=pick(copy_file, (wrong('modes-lost'), shutil.copyfile), (wrong('bytes-as-text'), copy_text)),
    )


def write_first_env(target: Path, copy: Path, changes: dict[str, str]) -> None:
    """Writes the `.env` of an install into the copy, unless that of the app stays as it is."""
    own = copy / '.env' if wrong('reinstall-loses-env') else target / '.env'
    files = [file for file in [own, copy / '.env', copy / '.env.example'] if file.exists()]
    text = read_text(files[0]) if files else ''
    if changes or (files and files[0] != own):
        replace_file(copy / '.env', changed_env(target, text, changes), FIRST_ENV_MODE)


def refuse_missing(folder: Path, settings: dict[str, str]) -> None:
    """Refuses missing values of required settings."""
    absent = 'unchanged' if wrong('required-not-empty') else ''
    for one in settings_of(read_manifest(folder)):
        if one.get('required') and settings.get(one['name'], absent) == '':
            raise refused('values', f'{one["name"]} is required')


def copy_text(source: str, target: str) -> None:
    Path(target).write_text(Path(source).read_text('utf-8', 'replace'))


def write_settings(folder: Path, changes: dict[str, str]) -> None:
    """Merges the changes into the app's `.env`."""
    if wrong('neighbours-changed'):
        for other in folders_in(folder.parent):
            if changes:
                replace_file(other / '.env', changed_env(folder, read_text(other / '.env'), changes), CHANGED_ENV_MODE)
        return
    file = folder / '.env'
    if changes:
        text = changed_env(folder, read_text(file), changes)
        if wrong('env-copy-for-everybody'):
            shutil.copyfile(file, folder / '.env.bak')
        replace_file(file, text, CHANGED_ENV_MODE)


def changed_env(folder: Path, text: str, changes: dict[str, str]) -> str:
    if wrong('settings-not-written'):
        return text
    if wrong('other-keys-lost'):
        text = ''
    if dotenv.has_open_quote(text) and not wrong('open-quote-swallows'):
        raise refused('values', '.env has a quote that is not closed')
    if wrong('only-known-keys-change'):
        known = dotenv.values(text)
        changes = {key: value for key, value in changes.items() if key in known}
    if wrong('passwords-lost'):
        changes = {**dict.fromkeys(passwords(folder), ''), **changes}
    return dotenv.merge(text, changes)


def without_passwords(folder: Path, text: str) -> str:
    """The text, or another one if it has a part of what may be a password in the app's `.env`."""
    names = passwords(folder)
    known = read_text(folder / '.env')
    values = [value for key, value in dotenv.values(known).items() if key in names]
    lines = [known[known.index(name) + len(name) :] for name in names if name in known]
    words = {word for part in values + lines for word in re.findall(r'\w{3,}', part)}
    if any(word in text for word in words) and not wrong('passwords-quoted'):
        return 'what the container tool said is left out, because it has a part of a password'
    return text


def without_empty_passwords(folder: Path, changes: dict[str, str]) -> dict[str, str]:
    names = passwords(folder)
    return {key: value for key, value in changes.items() if value != '' or key not in names}


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
    if wrong('written-in-place'):
        file.write_bytes(text.encode('utf-8', 'surrogateescape'))
        return
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix='.new-')
    try:
        with os.fdopen(handle, 'wb') as new:
            new.write(text.encode('utf-8', 'surrogateescape'))
            new.flush()
            os.fsync(new.fileno())
        os.chmod(beside, 0o666 & ~UMASK if wrong('env-by-umask') else mode)
        os.replace(beside, file)
    except OSError:
        os.unlink(beside)
        raise
