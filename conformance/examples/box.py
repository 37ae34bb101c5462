"""An app manager in Python: an example for implementers, and for tests of the conformance suite.

It is written from the requirement document and the operating contract. Where these leave a choice, it differs from
boxgate's box: it runs Compose inside the app's folder, quotes every value in `.env`, has other placeholders, kinds of
actions and texts, and its updater installs nothing. So a check that both pass asks only what the documents require.
It is not fit for use: it rolls nothing back, and does not lock out a second process.

    python3 box.py [--port N ...]      serves
    python3 box.py update              runs the job that a self-update starts
"""

import sys

sys.dont_write_bytecode = True

import contextlib
import errno
import os
import re
import shutil
import threading
import time
import urllib.parse
from pathlib import Path
from typing import Any

import dotenv
import programs
from app_files import finish_installs, folders_in, install_files, read_text, without_passwords, write_settings
from box_answers import refused
from manifest import Unreadable, read_manifest, readable, setting_entry, settings_of, summary, texts_of
from programs import ToolFailed, has_compose_file
from self_update import SelfUpdate
from serving import (
    FAILURE,
    Answer,
    Page,
    Refused,
    Request,
    Setting,
    default_state_dir,
    end,
    read_json,
    read_settings,
    serve,
    whole_number,
)
from setting_values import coerced, placeholders

CHANGES = threading.Lock()


def feed_address(text: str) -> str:
    if urllib.parse.urlsplit(text).scheme not in ('https', 'http', 'file'):
        raise ValueError('expected an address')
    return text


PORT = whole_number(0, 65535)
SETTINGS = [
    Setting('BOX_HOST', '--host', '127.0.0.1'),
    Setting('BOX_PORT', '--port', 7000, PORT),
    Setting('BOX_BUNDLED_APPS', '--bundled-apps', str(Path(__file__).parent / 'no-apps')),
    Setting('BOX_INSTALLED_APPS', '--installed-apps'),
    Setting('BOX_STATE_DIR', '--state-dir', default_state_dir()),
    Setting('BOX_ALLOWED_HOSTS', '--allowed-host', [], many=True),
    Setting('BOX_KEEP_REMOVED_DAYS', '--keep-removed-days', 7, whole_number(0, 36500)),
    Setting('BOX_RELEASE_FEED', '--release-feed', None, feed_address),
    Setting('BOX_RELEASE_KEY', '--release-key'),
    Setting('BOX_SOFTWARE_DIR', '--software-dir', '/opt/boxgate'),
]


class Box:
    def __init__(self, settings: dict[str, Any]):
        self.bundled = Path(settings['BOX_BUNDLED_APPS'])
        self.state_dir = Path(settings['BOX_STATE_DIR'])
        default_apps = self.state_dir / 'apps'
        self.installed = Path(settings['BOX_INSTALLED_APPS'] or default_apps)
        self.keep_days = settings['BOX_KEEP_REMOVED_DAYS']
        self.attic = self.state_dir / 'attic'
        self.self_update = SelfUpdate(settings, self.state_dir)

    def prepare(self) -> None:
        """Makes the folders. OSError if one cannot be used."""
        self.state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.state_dir.chmod(0o755)
        self.installed.mkdir(parents=True, exist_ok=True)
        os.listdir(self.installed)
        if self.bundled.exists():
            os.listdir(self.bundled)
        finish_installs(self.installed)
        self.empty_attic()

    # Reading

    def folder_of(self, place: Path, name: str) -> Path | None:
        """The folder of exactly this name. A name never leads out of its place."""
        if name in ('', '.', '..') or '/' in name or '\0' in name:
            return None
        is_link = os.path.islink(place / name)
        return place / name if os.path.isdir(place / name) and not is_link else None

    def installed_app(self, name: str) -> Path:
        folder = self.folder_of(self.installed, name)
        if folder is None:
            raise refused('not installed')
        return folder

    def list_apps(self) -> Answer:
        return 200, [self.entry(folder) for folder in folders_in(self.installed)]

    def entry(self, folder: Path) -> dict[str, Any]:
        try:
            return {**summary(folder), 'ok': True}
        except Unreadable as problem:
            return {'error': str(problem), 'ok': False, 'name': folder.name}

    def list_bundled(self) -> Answer:
        free = [folder for folder in folders_in(self.bundled) if not self.hides(folder.name)]
        shown = [folder for folder in free if readable(folder)]
        return 200, [summary(folder) for folder in shown]

    def hides(self, name: str) -> bool:
        """Whether the bundled app of this name is installed."""
        return readable(self.installed / name)

    def show_settings(self, name: str) -> Answer:
        places = [self.installed, self.bundled]
        folder = next((found for place in places if (found := self.folder_of(place, name))), None)
        if folder is None:
            raise refused('not there')
        try:
            manifest = read_manifest(folder)
        except Unreadable as problem:
            raise refused('broken', problem) from problem
        declared = settings_of(manifest)
        is_installed = folder.parent == self.installed
        values = self.shown_values(folder, is_installed)
        view = {
            'settings': [setting_entry(one, values) for one in declared],
            'installed': is_installed,
            **texts_of(manifest, folder),
        }
        return 200, view

    def shown_values(self, folder: Path, is_installed: bool) -> dict[str, str]:
        own, example = folder / '.env', folder / '.env.example'
        return dotenv.values(read_text(own if is_installed else example))

    # Changing

    def install(self, name: str, settings: dict[str, Any]) -> Answer:
        source = self.folder_of(self.bundled, name)
        if source is None or not readable(source):
            raise refused('unknown app', repr(name))
        target = self.installed / name
        changes = coerced(settings)
        with CHANGES:
            if target.is_symlink():
                raise refused('unknown app', f'there is a link in the place of {name!r}')
            with writing():
                install_files(source, target, changes)
            self.refuse_placeholders(target / '.env')
            actions = self.reconcile(name)
        status = status_of(actions)
        return status, {'actions': actions, 'installed': str(target)}

    def refuse_placeholders(self, file: Path) -> None:
        left = placeholders(dotenv.values(read_text(file)))
        if left:
            raise refused('placeholder', f'{file}: {", ".join(left)}')

    def change_settings(self, name: str, settings: dict[str, Any]) -> Answer:
        with CHANGES:
            folder = self.installed_app(name)
            changes = coerced(settings)
            left = placeholders(changes)
            if left:
                raise refused('values', f'a placeholder is no value for {", ".join(left)}')
            with writing():
                write_settings(folder, changes)
            actions = self.reconcile(name)
        status = status_of(actions)
        return status, {'actions': actions, 'updated': name}

    def reconcile(self, own: str) -> list[dict[str, str]]:
        """Brings all apps in line with their files, and returns an action for each. `own` is the app of the request."""
        folders = folders_in(self.installed)
        actions = []
        for folder in folders:
            is_own = folder.name == own
            actions.append(self.bring_up(folder, is_own))
        return actions

    def bring_up(self, folder: Path, is_own: bool) -> dict[str, str]:
        def action(kind: str, detail: str) -> dict[str, str]:
            return {'detail': detail, 'target': folder.name, 'kind': kind}

        if not readable(folder) or not has_compose_file(folder):
            return action('ignored', 'this folder holds no app that could be started')
        is_unfilled = placeholders(dotenv.values(read_text(folder / '.env'))) != []
        if is_unfilled:
            return action('ignored', 'its .env has to be completed first')
        try:
            programs.bring_up(folder, '--remove-orphans')
            return action('up', 'its containers are as its files say')
        except ToolFailed as problem:
            return action('failed', without_passwords(folder, str(problem)))

    def update_app(self, name: str) -> Answer:
        with CHANGES:
            folder = self.installed_app(name)
            try:
                changes = programs.update_images(folder)
            except (ToolFailed, ValueError, KeyError) as problem:
                raise refused('docker', without_passwords(folder, str(problem))) from problem
        return 200, {'services': changes, 'updated': changes != [], 'app': name}

    def remove(self, name: str) -> Answer:
        with CHANGES:
            folder = self.folder_to_remove(name)
            warning = None if folder.is_symlink() else self.take_down(folder)
            self.put_away(folder)
        return 200, {'compose_warning': warning, 'removed': name}

    def folder_to_remove(self, name: str) -> Path:
        is_link = '/' not in name and os.path.islink(self.installed / name)
        return self.installed / name if is_link else self.installed_app(name)

    def take_down(self, folder: Path) -> str | None:
        """Brings the app's containers down. Returns what went wrong."""
        try:
            programs.take_down(folder)
            return None
        except ToolFailed as problem:
            return without_passwords(folder, str(problem))

    def put_away(self, folder: Path) -> None:
        try:
            self.move_away(folder)
        except OSError as problem:
            raise refused('undeletable', problem.strerror) from problem

    def move_away(self, folder: Path) -> None:
        if folder.is_symlink():
            folder.unlink()
            return
        self.attic.mkdir(mode=0o700, exist_ok=True)
        place = self.attic / str(time.time_ns())
        place.mkdir()
        try:
            folder.rename(place / folder.name)
        except OSError as problem:
            if problem.errno != errno.EXDEV:
                place.rmdir()
                raise
            shutil.move(folder, place / folder.name)
        if self.keep_days == 0:
            erase(place)

    def empty_attic(self) -> None:
        """Erases what was put away longer ago than removed apps are kept."""
        oldest = time.time_ns() - self.keep_days * 86_400 * 10**9
        for place in folders_in(self.attic):
            if int(place.name) < oldest:
                erase(place)


def erase(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def writing():
    try:
        yield
    except OSError as problem:
        raise Refused(500, f'the files of the app cannot be written: {problem.strerror}') from problem


def has_failed(action: dict[str, str]) -> bool:
    return action['kind'] == 'failed'


def status_of(actions: list[dict[str, str]]) -> int:
    """The status of a change."""
    return 207 if any(has_failed(action) for action in actions) else 200


# The API


def make_answer(box: Box, allowed_hosts: list[str]):
    def answer_request(request: Request) -> Answer:
        refuse_stranger(request, allowed_hosts)
        path = request.path
        if request.method == 'GET':
            return get(box, path)
        if request.method == 'POST':
            return post(box, path, read_body(request))
        raise Refused(405, 'there is only GET and POST here')

    return answer_request


def refuse_stranger(request: Request, allowed_hosts: list[str]) -> None:
    """Refuses requests that pages of other sites may have sent."""
    host = request.headers.get('Host', '')
    is_change = request.method == 'POST'
    if (is_change or request.path.endswith('/settings')) and not is_own_name(host, allowed_hosts):
        raise Refused(421, f'{host} is no name of this box')
    if is_change and not is_from_own_page(request.headers, host):
        raise Refused(403, 'a page of another site sent this')


def is_own_name(host: str, allowed_hosts: list[str]) -> bool:
    """Whether the host may be this box: an address, a name of its network, or an allowed one."""
    name = re.sub(':[0-9]*$', '', host).lower()
    is_local = '.' not in name or ':' in name or re.search('[.](local|lan|home|internal|[0-9]+)$', name) is not None
    return is_local or name in allowed_hosts


def is_from_own_page(headers: Any, host: str) -> bool:
    origin = headers.get('Origin')
    is_same = origin is None or origin.partition('://')[2] == host
    return is_same and headers.get('Sec-Fetch-Site') != 'cross-site'


def read_body(request: Request) -> dict[str, Any]:
    body = request.body
    try:
        value = read_json(body) if body else {}
    except ValueError as problem:
        raise refused('no JSON') from problem
    if not isinstance(value, dict):
        raise refused('no object')
    return value


def name_in(path: str, last: str) -> str | None:
    """The app's name in `/api/apps/<name>/<last>`. None for another path."""
    matched = re.fullmatch(rf'/api/apps/(.*)/{last}', path, re.DOTALL)
    if matched is None:
        return None
    name = matched[1]
    if name == '' or '/' in name:
        raise refused('app name')
    return name


def get(box: Box, path: str) -> Answer:
    if path in PAGE_PATHS:
        return 200, PAGE
    if path == '/api/apps':
        return box.list_apps()
    if path == '/api/bundled':
        return box.list_bundled()
    if path == '/api/self/update/status':
        return box.self_update.status()
    name = name_in(path, 'settings')
    if name is not None:
        return box.show_settings(name)
    raise refused('not found')


def post(box: Box, path: str, body: dict[str, Any]) -> Answer:
    name = name_in(path, 'settings')
    if name is not None:
        return box.change_settings(name, settings_of_change(body))
    name = name_in(path, 'update')
    if name is not None:
        return box.update_app(name)
    if path == '/api/self/update/check':
        return box.self_update.check()
    if path == '/api/self/update/apply':
        return box.self_update.start()
    if path == '/api/apps/install':
        return box.install(name_of(body), settings_of_install(body))
    if path == '/api/apps/remove':
        return box.remove(name_of(body))
    name_of(body)
    raise refused('not found')


def name_of(body: dict[str, Any]) -> str:
    name = body.get('name')
    if not isinstance(name, str) or name == '':
        raise refused('name')
    return name


def settings_of_change(body: dict[str, Any]) -> dict[str, Any]:
    settings = body.get('settings')
    if not isinstance(settings, dict):
        raise refused('settings of a change')
    return settings


def settings_of_install(body: dict[str, Any]) -> dict[str, Any]:
    settings = body.get('settings', {})
    if not isinstance(settings, dict):
        raise refused('settings of an install')
    return settings


PAGE_PATHS = ('/', '/apps', '/apps/')
PAGE = Page((Path(__file__).parent / 'box-page.html').read_text('utf-8'))


def main(arguments: list[str]) -> None:
    is_job = arguments[:1] == ['update']
    settings = read_settings(SETTINGS, arguments[1:] if is_job else arguments, 'box.py')
    box = Box(settings)
    try:
        box.prepare()
    except OSError as problem:
        end(FAILURE, f'{problem.filename}: {problem.strerror}')
    if is_job:
        box.self_update.run_job()
        return
    host = settings['BOX_HOST']
    answer = make_answer(box, settings['BOX_ALLOWED_HOSTS'])
    serve(host, settings['BOX_PORT'], answer, lambda: None)


main(sys.argv[1:])
