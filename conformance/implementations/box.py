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
from app_files import (
    finish_installs,
    folders_in,
    install_files,
    read_text,
    refuse_missing,
    without_empty_passwords,
    without_passwords,
    write_settings,
)
from box_answers import refused
from box_faults import (
    LockFile,
    faulty_action,
    faulty_answer,
    faulty_entry,
    faulty_lock,
    faulty_page,
    faulty_path,
    faulty_status,
    is_other_change,
    refuses_unknown,
    similar_name,
)
from faults import CLIENT, FAULT, KEPT, keep_inside, pick, wrong
from manifest import Unreadable, read_manifest, readable, setting_entry, settings_of, summary, texts_of
from programs import ToolFailed, has_compose_file
from self_update import UNIT, SelfUpdate
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

CHANGES = pick(
    threading.Lock(), (wrong('changes-at-once'), contextlib.nullcontext()), (wrong('change-lock-left'), LockFile())
)


def feed_address(text: str) -> str:
    if urllib.parse.urlsplit(text).scheme not in ('https', 'http', 'file'):
        raise ValueError('expected an address')
    return text


PORT = whole_number(1 if wrong('port-0-refused') else 0, 65536 if wrong('port-limit') else 65535)
SETTINGS = [
    Setting('BOX_HOST', '--host', '0.0.0.0' if wrong('host-everywhere') else '127.0.0.1'),
    Setting('BOX_PORT', '--port', 7001 if wrong('port-7001') else 7000, PORT),
    Setting('BOX_BUNDLED_APPS', '--bundled-apps', str(Path(__file__).parent / 'no-apps')),
    Setting('BOX_INSTALLED_APPS', '--installed-apps'),
    Setting('BOX_STATE_DIR', '--state-dir', default_state_dir()),
    Setting('BOX_ALLOWED_HOSTS', '--allowed-host', [], many=True),
    Setting('BOX_KEEP_REMOVED_DAYS', '--keep-removed-days', 7, whole_number(0, 36500)),
    Setting('BOX_RELEASE_FEED', '--release-feed', None, feed_address),
    Setting('BOX_RELEASE_KEY', '--release-key'),
    Setting('BOX_SOFTWARE_DIR', '--software-dir', '/opt/boxgate'),
]
IGNORED_VARIABLE = pick(
    '',
    (wrong('bundle-not-set'), 'BOX_BUNDLED_APPS'),
    (wrong('installed-not-set'), 'BOX_INSTALLED_APPS'),
    (wrong('feed-not-set'), 'BOX_RELEASE_FEED'),
    (wrong('port-ignored'), 'BOX_PORT'),
)


class Box:
    def __init__(self, settings: dict[str, Any]):
        self.bundled = Path(settings['BOX_BUNDLED_APPS'])
        self.state_dir = Path(settings['BOX_STATE_DIR'])
        if wrong('state-not-set'):
            self.state_dir /= 'other'
        default_apps = self.state_dir / ('installed' if wrong('installed-elsewhere') else 'apps')
        self.installed = Path(settings['BOX_INSTALLED_APPS'] or default_apps)
        self.keep_days = 7 if wrong('trash-kept') else settings['BOX_KEEP_REMOVED_DAYS']
        self.attic = self.state_dir / 'attic'
        if FAULT:
            keep_inside(Path(settings['BOX_STATE_DIR']).parent)
        if wrong('change-lock-left'):
            LockFile.place = self.state_dir / 'changing'
        self.self_update = SelfUpdate(settings, self.state_dir)

    def prepare(self) -> None:
        """Makes the folders. OSError if one cannot be used."""
        self.state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.state_dir.chmod(0o700 if wrong('state-private') else 0o755)
        self.installed.mkdir(parents=True, exist_ok=True)
        os.listdir(self.installed)
        if self.bundled.exists():
            os.listdir(self.bundled)
        finish_installs(self.installed)
        self.empty_attic()
        if wrong('lost-at-restart'):
            for folder in folders_in(self.installed):
                shutil.copy2(folder / '.env.example', folder / '.env')

    def end_with_the_server(self) -> None:
        """Stops what a faulty box has started as part of itself."""
        if wrong('containers-die-with-it'):
            for folder in folders_in(self.installed):
                programs.take_down(folder)
        if wrong('update-dies-with-it'):
            programs.run('systemctl', 'stop', UNIT)

    # Reading

    def folder_of(self, place: Path, name: str) -> Path | None:
        """The folder of exactly this name. A name never leads out of its place."""
        if wrong('names-in-any-case'):
            name = next((one.name for one in folders_in(place) if one.name.lower() == name.lower()), name)
        if name in ('', '.', '..') or ('/' in name and not wrong('name-leads-out')) or '\0' in name:
            return None
        if wrong('names-of-projects') and not re.fullmatch('[a-z0-9][a-z0-9_-]*', name):
            return None
        is_link = os.path.islink(place / name) and not wrong('links-followed')
        return place / name if os.path.isdir(place / name) and not is_link else None

    def installed_app(self, name: str) -> Path:
        folder = self.folder_of(self.installed, name)
        if folder is None:
            raise refused('not installed')
        return folder

    def list_apps(self) -> Answer:
        if wrong('reads-ask-docker'):
            programs.run('docker', 'ps')
        if wrong('reads-wait'):
            CHANGES.acquire()
            CHANGES.release()
        return faulty_answer('listApps', (200, [self.entry(folder) for folder in folders_in(self.installed)]))

    def entry(self, folder: Path) -> dict[str, Any]:
        try:
            return faulty_entry(folder, {**summary(folder), 'ok': True})
        except Unreadable as problem:
            return faulty_entry(folder, {'error': str(problem), 'ok': False, 'name': folder.name})

    def list_bundled(self) -> Answer:
        if wrong('no-bundle-500'):
            os.listdir(self.bundled)
        if wrong('no-bundle-404') and not self.bundled.exists():
            raise refused('not found')
        free = [folder for folder in folders_in(self.bundled) if not self.hides(folder.name)]
        if wrong('bundled-shows-broken'):
            return 200, [self.entry(folder) for folder in free]
        shown = free if wrong('bundled-fails-for-broken') else [folder for folder in free if readable(folder)]
        return faulty_answer('listBundledApps', (200, [summary(folder) for folder in shown]))

    def hides(self, name: str) -> bool:
        """Whether the bundled app of this name is installed."""
        if wrong('hidden-for-good'):
            return KEPT.setdefault(name, True) if readable(self.installed / name) else name in KEPT
        return readable(self.installed / name) and not wrong('bundled-shows-installed')

    def show_settings(self, name: str) -> Answer:
        places = [self.installed] if wrong('installed-only-view') else [self.installed, self.bundled]
        if wrong('bundled-before-installed'):
            places.reverse()
        folder = next((found for place in places if (found := self.folder_of(place, name))), None)
        if folder is None:
            if wrong('no-app-empty-view'):
                return 200, {'settings': [], 'installed': False, **texts_of({}, Path(name))}
            raise refused('not there')
        try:
            manifest = read_manifest(folder)
        except Unreadable as problem:
            raise refused('broken', problem) from problem
        declared = settings_of(manifest)
        if declared == [] and wrong('view-404-for-none'):
            raise refused('not there')
        is_installed = folder.parent == self.installed
        values = self.shown_values(folder, is_installed)
        view = {
            'settings': [setting_entry(one, values) for one in declared],
            'installed': is_installed,
            **texts_of(manifest, folder),
        }
        return faulty_answer('getAppSettings', (200, view))

    def shown_values(self, folder: Path, is_installed: bool) -> dict[str, str]:
        own, example = folder / '.env', folder / '.env.example'
        if wrong('example-falls-in') or (wrong('env-of-the-bundle') and not is_installed):
            return {**dotenv.values(read_text(example)), **dotenv.values(read_text(own))}
        if wrong('example-not-read') and not is_installed:
            return {}
        if wrong('value-of-start'):
            return KEPT.setdefault(folder, dotenv.values(read_text(own if is_installed else example)))
        return dotenv.values(read_text(own if is_installed else example))

    # Changing

    def install(self, name: str, settings: dict[str, Any]) -> Answer:
        source = self.folder_of(self.bundled, name)
        if source is None or not (readable(source) or wrong('without-manifest-too')):
            raise refused('unknown app', repr(name))
        target = self.installed / (f'{name}-1' if wrong('installed-under-other-name') else name)
        if wrong('no-second-install') and target.exists():
            raise refused('unknown app', repr(name))
        if wrong('refused-values-installed'):
            install_files(source, target, {})
            self.reconcile(name)
        changes = coerced(settings)
        if wrong('empty-password-not-installed'):
            changes = without_empty_passwords(source, changes)
        if wrong('required-enforced') or wrong('required-not-empty'):
            refuse_missing(source, changes)
        with faulty_lock(name, CHANGES):
            if wrong('placeholder-before-copy'):
                self.refuse_placeholders(source / '.env.example')
            if target.is_symlink() and not wrong('links-followed'):
                raise refused('unknown app', f'there is a link in the place of {name!r}')
            if wrong('placeholder-before-write'):
                install_files(source, target, {})
                self.refuse_placeholders(target / '.env')
            if wrong('reinstall-without-settings') and target.exists():
                changes = {}
            with writing():
                install_files(source, target, changes)
            self.refuse_placeholders(target / ('.env.example' if wrong('placeholder-of-example') else '.env'))
            actions = self.reconcile(name)
        if wrong('env-in-actions'):
            actions[0]['detail'] += read_text(target / '.env')
        if wrong('failure-undoes-install') and any(has_failed(one) for one in actions if one['target'] == name):
            shutil.rmtree(target)
        status = faulty_status(actions, name, status_of(actions))
        return faulty_answer('installApp', (status, {'actions': actions, 'installed': str(target)}))

    def refuse_placeholders(self, file: Path) -> None:
        left = placeholders(dotenv.values(read_text(file)))
        if left:
            if wrong('placeholder-started'):
                programs.bring_up(file.parent)
            if wrong('placeholder-removes'):
                shutil.rmtree(file.parent)
            if wrong('placeholder-without-env'):
                file.unlink()
            raise refused('placeholder', f'{file}: {", ".join(left)}')

    def change_settings(self, name: str, settings: dict[str, Any]) -> Answer:
        with faulty_lock(name, CHANGES):
            if wrong('change-needs-no-install'):
                folder = self.folder_of(self.bundled, name) or self.installed_app(name)
            else:
                folder = self.installed_app(name)
            if wrong('written-before-refused'):
                write_settings(folder, {'SEEN': '1'})
            changes = coerced(settings)
            if wrong('empty-password-ignored'):
                changes = without_empty_passwords(folder, changes)
            if wrong('required-enforced') or wrong('required-not-empty'):
                refuse_missing(folder, changes)
            left = placeholders(changes)
            if left:
                raise refused('values', f'a placeholder is no value for {", ".join(left)}')
            with writing():
                write_settings(folder, changes)
            actions = self.reconcile(name)
        if wrong('password-in-action'):
            actions[0]['detail'] += str(changes)
        status = faulty_status(actions, name, status_of(actions))
        if status == 207 and wrong('207-without-actions'):
            return status, {'updated': name}
        return faulty_answer('updateAppSettings', (status, {'actions': actions, 'updated': name}))

    def reconcile(self, own: str) -> list[dict[str, str]]:
        """Brings all apps in line with their files, and returns an action for each. `own` is the app of the request."""
        if wrong('nothing-reconciled'):
            return []
        folders = folders_in(self.installed)
        if wrong('only-own-app'):
            folders = [folder for folder in folders if folder.name == own]
        if wrong('own-failure-ends-it'):
            folders.sort(key=lambda folder: folder.name != own)
        actions = []
        for folder in folders:
            is_own = folder.name == own
            actions.append(faulty_action(self.bring_up(folder, is_own)))
            if has_failed(actions[-1]) and (wrong('failure-stops-others') or (is_own and wrong('own-failure-ends-it'))):
                break
        return actions

    def bring_up(self, folder: Path, is_own: bool) -> dict[str, str]:
        def action(kind: str, detail: str) -> dict[str, str]:
            return {'detail': detail, 'target': folder.name, 'kind': kind}

        if not readable(folder) or not has_compose_file(folder):
            return action('ignored', 'this folder holds no app that could be started')
        is_unfilled = placeholders(dotenv.values(read_text(folder / '.env'))) != []
        if is_unfilled and (is_own or not wrong('placeholders-started-by-others')):
            return action('ignored', 'its .env has to be completed first')
        try:
            if wrong('all-apps-recreated'):
                programs.bring_up(folder, '--remove-orphans', '--force-recreate')
            elif not (FAULT and programs.is_left_alone(folder, is_own)):
                programs.bring_up(folder, '--remove-orphans')
            return action('up', 'its containers are as its files say')
        except ToolFailed as problem:
            if wrong('engine-given-up') and 'Cannot connect' in str(problem):
                programs.give_up(str(problem))
            if wrong('failure-throws'):
                raise refused('docker', problem) from problem
            return action('failed', without_passwords(folder, str(problem)))

    def update_app(self, name: str) -> Answer:
        with faulty_lock(name, CHANGES):
            if wrong('update-installs') and name not in os.listdir(self.installed) and name in os.listdir(self.bundled):
                return 200, {'services': [], 'updated': False, 'app': name}
            folder = self.installed_app(name)
            try:
                changes = programs.update_images(folder)
                if wrong('neighbours-recreated'):
                    for other in folders_in(self.installed):
                        programs.bring_up(other, *([] if other == folder else ['--force-recreate']))
            except (ToolFailed, ValueError, KeyError) as problem:
                if wrong('tool-fails-200'):
                    changes = []
                else:
                    raise refused('docker', without_passwords(folder, str(problem))) from problem
        return faulty_answer('updateApp', (200, {'services': changes, 'updated': changes != [], 'app': name}))

    def remove(self, name: str) -> Answer:
        with faulty_lock(name, CHANGES):
            if wrong('remove-absent-200') and self.folder_of(self.installed, name) is None:
                return 200, {'compose_warning': None, 'removed': name}
            folder = self.folder_to_remove(name)
            if wrong('deleted-before-down'):
                self.put_away(folder)
            warning = None if folder.is_symlink() else self.take_down(folder)
            if warning is None or not wrong('failed-down-keeps'):
                self.put_away(folder)
        if wrong('remove-207-for-warning') and warning is not None:
            return 207, {'compose_warning': warning, 'removed': name}
        return faulty_answer('removeApp', (200, {'compose_warning': warning, 'removed': name}))

    def folder_to_remove(self, name: str) -> Path:
        if FAULT:
            name = similar_name(self.installed, name)
        # `folder_of` is None for a name that leads out of its place, such as `/`.
        if wrong('remove-bundled') and self.folder_of(self.bundled, name) is not None:
            shutil.rmtree(self.bundled / name)
        is_link = '/' not in name and os.path.islink(self.installed / name)
        if wrong('broken-stays') and not readable(self.installed / name):
            raise refused('not installed')
        if wrong('removes-with-a-manifest-only') and not (self.installed / name / 'manifest.json').exists():
            raise refused('not installed')
        return self.installed / name if is_link else self.installed_app(name)

    def take_down(self, folder: Path) -> str | None:
        """Brings the app's containers down. Returns what went wrong."""
        try:
            programs.take_down(folder)
            if wrong('unknown-containers-removed'):
                programs.remove_unknown(self.installed)
            if wrong('all-containers-removed'):
                for other in folders_in(self.installed):
                    programs.take_down(other)
            return None
        except ToolFailed as problem:
            if wrong('failed-down-502'):
                raise refused('docker', problem) from problem
            return without_passwords(folder, str(problem))

    def put_away(self, folder: Path) -> None:
        if wrong('directory-stays') or (wrong('deleted-before-down') and not folder.exists()):
            return
        try:
            self.move_away(folder)
        except OSError as problem:
            if not wrong('delete-fails-200'):
                raise refused('undeletable', problem.strerror) from problem
        if wrong('directory-emptied'):
            folder.mkdir()
        if wrong('removed-not-available'):
            shutil.rmtree(self.bundled / folder.name)
        if wrong('neighbours-by-beginning'):
            for other in folders_in(self.installed):
                if other.name.startswith(folder.name):
                    shutil.rmtree(other)

    def move_away(self, folder: Path) -> None:
        if folder.is_symlink():
            folder.unlink()
            return
        if wrong('removed-in-place'):
            shutil.rmtree(folder)
            return
        self.attic.mkdir(mode=0o755 if wrong('attic-open') else 0o700, exist_ok=True)
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
    if wrong('links-followed'):
        for one in folder.iterdir():
            erase(one) if one.is_dir() else one.unlink()
        return
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
        if FAULT:
            CLIENT.request = request
        refuse_stranger(request, allowed_hosts)
        path = faulty_path(request.path)
        if request.method == 'GET':
            return get(box, path)
        if FAULT and is_other_change(request.method):
            return change_otherwise(box, request.method, path, read_body(request))
        if request.method == 'POST' or wrong('any-method-posts'):
            if FAULT:
                refuse_before_body(request, path)
            return post(box, path, read_body(request))
        raise Refused(405, 'there is only GET and POST here')

    return answer_request


def change_otherwise(box: 'Box', method: str, path: str, body: dict[str, Any]) -> Answer:
    name = path.rstrip('/').rpartition('/')[2]
    if method == 'DELETE':
        return box.remove(name)
    if wrong('put-installs'):
        return box.install(name, settings_of_install(body))
    return post(box, path, body)


def refuse_stranger(request: Request, allowed_hosts: list[str]) -> None:
    """Refuses requests that pages of other sites may have sent."""
    host = request.headers.get('Host', '')
    is_change = request.method == 'POST'
    if (is_change or request.path.endswith('/settings')) and not is_own_name(host, allowed_hosts):
        raise Refused(421, f'{host} is no name of this box')
    if is_change and not is_from_own_page(request.headers, host):
        raise Refused(403, 'a page of another site sent this')
    if wrong('refuses-credentials') and 'Authorization' in request.headers:
        raise refused('not found')
    if wrong('asks-posts-for-credentials') and is_change and 'Authorization' not in request.headers:
        raise refused('not found')


def is_own_name(host: str, allowed_hosts: list[str]) -> bool:
    """Whether the host may be this box: an address, a name of its network, or an allowed one."""
    name = re.sub(':[0-9]*$', '', host).lower()
    is_local = '.' not in name or ':' in name or re.search('[.](local|lan|home|internal|[0-9]+)$', name) is not None
    if wrong('allowed-hosts-first'):
        allowed_hosts = allowed_hosts[:1]
    return is_local or name in allowed_hosts or wrong('any-name-is-its-own')


def is_from_own_page(headers: Any, host: str) -> bool:
    if wrong('other-sites-may-change'):
        return True
    origin = headers.get('Origin')
    is_same = pick(
        origin is None or origin.partition('://')[2] == host,
        (wrong('origin-by-beginning'), origin is None or origin.partition('://')[2].startswith(host)),
        (wrong('origin-by-name'), origin is None or re.sub(':[0-9]*$', '', host) in origin),
        (wrong('origin-by-end'), origin is None or origin.endswith(host)),
        (wrong('origin-null-is-own'), origin in (None, 'null', f'http://{host}')),
    )
    return is_same if wrong('fetch-site-ignored') else is_same and headers.get('Sec-Fetch-Site') != 'cross-site'


def refuse_before_body(request: Request, path: str) -> None:
    """Refuses a request before its body is read, which only a faulty box does."""
    if wrong('needs-content-type') and request.headers.get('Content-Type', '') not in ('', 'application/json'):
        raise Refused(415, 'expected application/json')
    if wrong('path-before-body') and not re.match('/api/(apps|self)/', path):
        raise refused('not found')
    if wrong('app-name-before-body'):
        name_in(path, '(?:settings|update)')


def read_body(request: Request) -> dict[str, Any]:
    body = pick(
        request.body,
        (wrong('body-not-utf-8'), request.body.decode('utf-8', 'replace').encode()),
        (wrong('lenient-json'), re.sub(rb',\s*}$', b'}', request.body)),
    )
    try:
        value = read_json(body) if body or wrong('empty-body-refused') else {}
    except ValueError as problem:
        if wrong('invalid-json-counts-as-empty'):
            return {}
        raise refused('no JSON') from problem
    if (value is None and wrong('null-body')) or (isinstance(value, list) and wrong('array-body')):
        return {}
    if not isinstance(value, dict):
        raise refused('no object')
    if wrong('keys-in-any-case'):
        value = {key.lower(): one for key, one in value.items()}
    if wrong('query-fills-body'):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.target).query)
        return {**{key: texts[0] for key, texts in query.items()}, **value}
    return value


def name_in(path: str, last: str) -> str | None:
    """The app's name in `/api/apps/<name>/<last>`. None for another path."""
    matched = re.fullmatch(rf'/api/apps/(.*)/{last}', path, re.DOTALL)
    if matched is None:
        return None
    name = matched[1]
    if (name == '' and wrong('empty-name-not-found')) or ('/' in name and wrong('slash-in-name-not-found')):
        raise refused('not found')
    if name == '' or '/' in name:
        raise refused('app name')
    return urllib.parse.unquote(name) if wrong('name-leads-out') else name


def get(box: Box, path: str) -> Answer:
    if path in PAGE_PATHS:
        return faulty_page(path, (200, PAGE))
    if path == '/api/apps':
        return box.list_apps()
    if path == '/api/bundled':
        return box.list_bundled()
    if path == '/api/self/update/status':
        return box.self_update.status()
    name = name_in(path, 'settings')
    if name is not None:
        return box.show_settings(name)
    if path == '/update-state.json' and wrong('serves-state-file'):
        return box.self_update.status()
    if (path == '/settings/' and wrong('serves-settings-page')) or (
        not path.startswith('/api') and wrong('page-for-unknown-paths')
    ):
        return 200, PAGE
    if path in ('/api/apps/install', '/api/apps/remove') and wrong('get-of-post-path-405'):
        return 405, {'error': 'only POST is possible here'}
    raise refused('not found')


def post(box: Box, path: str, body: dict[str, Any]) -> Answer:
    if wrong('name-before-paths'):
        name_of(body)
    name = name_in(path, 'settings')
    if name is not None:
        return box.change_settings(name, settings_of_change(body))
    name = name_in(path, 'update')
    if name is not None:
        if wrong('update-reads-its-body') and 'settings' in body:
            raise refused('settings of an install')
        return box.update_app(name)
    if path == '/api/self/update/check':
        if wrong('check-reads-its-body') and 'version' in body:
            raise refused('settings of an install')
        return box.self_update.check()
    if path == '/api/self/update/apply':
        if wrong('apply-reads-its-body') and 'version' in body:
            raise refused('settings of an install')
        return box.self_update.start()
    if path == '/api/apps/install':
        return box.install(name_of(body), settings_of_install(body))
    if path == '/api/apps/remove':
        if wrong('null-name-not-found') and body.get('name', '') is None:
            raise refused('not installed')
        return box.remove(name_of(body))
    if not (FAULT and refuses_unknown(body)):
        name_of(body)
    if wrong('post-outside-never-404'):
        raise refused('name')
    raise refused('not found')


def name_of(body: dict[str, Any]) -> str:
    name = body.get('name')
    if isinstance(name, (int, float)) and wrong('number-as-name'):
        return str(name)
    if not isinstance(name, str) or name == '':
        raise refused('name')
    return name


def settings_of_change(body: dict[str, Any]) -> dict[str, Any]:
    settings = body.get('settings')
    if (
        ('settings' not in body and wrong('absent-settings-are-empty'))
        or (settings is None and wrong('null-settings-are-empty'))
        or (isinstance(settings, list) and wrong('array-settings-are-empty'))
    ):
        return {}
    if not isinstance(settings, dict):
        raise refused('settings of a change')
    return settings


def settings_of_install(body: dict[str, Any]) -> dict[str, Any]:
    if 'settings' not in body and wrong('install-needs-settings'):
        raise refused('settings of an install')
    settings = body.get('settings', {})
    if (isinstance(settings, list) and wrong('install-with-array')) or (
        not settings and wrong('install-with-empty-text')
    ):
        return {}
    if not isinstance(settings, dict):
        raise refused('settings of an install')
    return settings


PAGE_PATHS = pick(
    ('/', '/apps', '/apps/'),
    (wrong('apps-page-404'), ('/', '/apps/')),
    (wrong('apps-folder-page-404'), ('/', '/apps')),
)
PAGE = Page((Path(__file__).parent / 'box-page.html').read_text('utf-8'))


def main(arguments: list[str]) -> None:
    is_job = arguments[:1] == ['update']
    if FAULT:
        os.environ.pop(IGNORED_VARIABLE, None)
    settings = read_settings(SETTINGS, arguments[1:] if is_job else arguments, 'box.py')
    box = Box(settings)
    try:
        box.prepare()
    except OSError as problem:
        end(FAILURE, f'{problem.filename}: {problem.strerror}')
    if is_job:
        box.self_update.run_job()
        return
    host = pick(
        settings['BOX_HOST'],
        (wrong('host-ignored'), '127.0.0.1'),
        (wrong('host-everywhere-always') and settings['BOX_HOST'] != '127.0.0.1', '0.0.0.0'),
    )
    answer = make_answer(box, settings['BOX_ALLOWED_HOSTS'])
    serve(host, settings['BOX_PORT'], answer, box.end_with_the_server if FAULT else lambda: None)


main(sys.argv[1:])
