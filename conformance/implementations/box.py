"""A second app manager, for the conformance suite and nobody else.

It was written from the requirement document and the operating contract alone, and differs from boxgate's box
wherever they leave it open: it runs Docker's Compose inside the app's folder, asks the engine other questions,
rewrites `.env` its own way, knows other placeholders, kinds of actions and texts, copies an app in place, and
its updater installs nothing. What passes here and in boxgate's box is asked of both by the documents. It is no
product: there is no protection against other web sites, no journal, no roll-back and no lock between processes.

    python3 box.py [--port N ...]      serves
    python3 box.py update              is the job that a self-update starts
"""

import sys

sys.dont_write_bytecode = True

import fcntl
import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import dotenv
from serving import (
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

VERSION = '0.4.2'
UPDATE_UNIT = 'second-box-update.service'
COMPOSE_FILES = ('compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml')
PLACEHOLDER = re.compile(r'change[-_ ]?me|replace[-_ ]?me|^placeholder$', re.IGNORECASE)
CHANGES = threading.Lock()


def feed_address(text: str) -> str:
    if urllib.parse.urlsplit(text).scheme not in ('https', 'http', 'file'):
        raise ValueError('expected an address')
    return text


SETTINGS = [
    Setting('BOX_HOST', '--host', '127.0.0.1'),
    Setting('BOX_PORT', '--port', 7000, whole_number(0, 65535)),
    Setting('BOX_BUNDLED_APPS', '--bundled-apps', str(Path(__file__).parent / 'no-apps')),
    Setting('BOX_INSTALLED_APPS', '--installed-apps'),
    Setting('BOX_STATE_DIR', '--state-dir', default_state_dir()),
    Setting('BOX_ALLOWED_HOSTS', '--allowed-host', [], many=True),
    Setting('BOX_KEEP_REMOVED_DAYS', '--keep-removed-days', 7, whole_number(0, 36500)),
    Setting('BOX_RELEASE_FEED', '--release-feed', None, feed_address),
    Setting('BOX_RELEASE_KEY', '--release-key'),
    Setting('BOX_SOFTWARE_DIR', '--software-dir', '/opt/boxgate'),
]


class Unreadable(Exception):
    """A manifest that cannot be read, with the reason."""


class ToolFailed(Exception):
    """A program that could not be run, or ended badly, with its last words."""


# Manifests and icons


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = read_json((folder / 'manifest.json').read_bytes())
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
    settings = manifest.get('settings') or []
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
    return {
        'has_settings': bool(manifest.get('settings')),
        'icon_svg': read_icon(folder, icon),
        'icon': icon,
        'ports': manifest.get('ports', []),
        'version': manifest.get('version', ''),
        **texts_of(manifest, folder),
    }


def read_icon(folder: Path, name: str) -> str | None:
    if name == '' or '/' in name or '\0' in name:
        return None
    try:
        about = (folder / name).lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > 16384:
            return None
        text = (folder / name).read_bytes().decode('utf-8').strip()
    except (OSError, ValueError):
        return None
    if text.startswith('<?xml'):
        if '?>' not in text:
            return None
        text = text[text.index('?>') + 2 :].strip()
    if re.search(r'<script|javascript:|\bon[a-z]+\s*=', text, re.IGNORECASE):
        return None
    return text if text.startswith('<svg') else None


# Programs


def run(program: str, *arguments: str, folder: Path = Path('/'), seconds: float = 900) -> str:
    """What the program printed. It is of a session of its own: a signal to this server does not reach it."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(('BOX_', 'COMPOSE_'))
    }
    try:
        done = subprocess.run(
            [program, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise ToolFailed(f'{program} {arguments[0]}: {problem}') from problem
    if done.returncode != 0:
        words = done.stderr.decode('utf-8', 'replace').strip().splitlines()[-3:]
        raise ToolFailed(f'{program} {arguments[0]} ended with {done.returncode}: {" ".join(words)}')
    return done.stdout.decode('utf-8', 'replace')


def has_compose_file(folder: Path) -> bool:
    return any((folder / name).is_file() for name in COMPOSE_FILES)


# The box


class Box:
    def __init__(self, settings: dict[str, Any]):
        self.bundled = Path(settings['BOX_BUNDLED_APPS'])
        self.state_dir = Path(settings['BOX_STATE_DIR'])
        self.installed = Path(settings['BOX_INSTALLED_APPS'] or self.state_dir / 'apps')
        self.keep_days = settings['BOX_KEEP_REMOVED_DAYS']
        self.feed = settings['BOX_RELEASE_FEED']
        self.settings = settings
        self.attic = self.state_dir / 'attic'

    def prepare(self) -> None:
        """Makes the folders. OSError where one cannot be used."""
        self.state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.state_dir.chmod(0o755)
        self.installed.mkdir(parents=True, exist_ok=True)
        os.listdir(self.installed)
        if self.bundled.exists():
            os.listdir(self.bundled)
        self.empty_attic()

    # Reading

    def folders(self, place: Path) -> list[Path]:
        try:
            return sorted((one for one in place.iterdir() if one.is_dir()), key=lambda one: one.name)
        except OSError:
            return []

    def folder_of(self, place: Path, name: str) -> Path | None:
        """The folder of exactly this name; a name never leads out of its place."""
        if name in ('', '.', '..') or '/' in name or '\0' in name:
            return None
        return place / name if os.path.isdir(place / name) else None

    def installed_app(self, name: str) -> Path:
        folder = self.folder_of(self.installed, name)
        if folder is None:
            raise Refused(404, 'no such app is installed')
        return folder

    def list_apps(self) -> Answer:
        return 200, [self.entry(folder) for folder in self.folders(self.installed)]

    def entry(self, folder: Path) -> dict[str, Any]:
        try:
            return {**summary(folder), 'ok': True}
        except Unreadable as problem:
            return {'error': str(problem), 'ok': False, 'name': folder.name}

    def list_bundled(self) -> Answer:
        free = [
            folder
            for folder in self.folders(self.bundled)
            if readable(folder) and not readable(self.installed / folder.name)
        ]
        return 200, [summary(folder) for folder in free]

    def show_settings(self, name: str) -> Answer:
        installed = self.folder_of(self.installed, name)
        folder = installed or self.folder_of(self.bundled, name)
        if folder is None:
            raise Refused(404, 'no such app')
        try:
            manifest = read_manifest(folder)
        except Unreadable as problem:
            raise Refused(404, str(problem)) from problem
        source = folder / ('.env' if installed else '.env.example')
        values = dotenv.values(read_text(source))
        entries = [setting_entry(one, values) for one in manifest.get('settings') or []]
        return 200, {
            'settings': entries,
            'installed': installed is not None,
            **texts_of(manifest, folder),
        }

    # Changing

    def install(self, name: str, settings: dict[str, Any]) -> Answer:
        source = self.folder_of(self.bundled, name)
        if source is None or not readable(source):
            raise Refused(400, f'there is no app {name!r} to install')
        changes = coerced(settings)
        target = self.installed / name
        with CHANGES:
            copy_app(source, target)
            write_env(target, changes)
            left = placeholders(dotenv.values(read_text(target / '.env')))
            if left:
                raise Refused(400, f'{target / ".env"} still has a placeholder for {", ".join(left)}')
            actions = self.reconcile()
        return status_of(actions), {'actions': actions, 'installed': str(target)}

    def change_settings(self, name: str, settings: Any) -> Answer:
        if not isinstance(settings, dict):
            raise Refused(400, "missing or invalid 'settings' object")
        with CHANGES:
            folder = self.installed_app(name)
            changes = coerced(settings)
            left = placeholders(changes)
            if left:
                raise Refused(400, f'a placeholder is no value for {", ".join(left)}')
            write_env(folder, changes)
            actions = self.reconcile()
        return status_of(actions), {'actions': actions, 'updated': name}

    def reconcile(self) -> list[dict[str, str]]:
        return [self.bring_up(folder) for folder in self.folders(self.installed)]

    def bring_up(self, folder: Path) -> dict[str, str]:
        def action(kind: str, detail: str) -> dict[str, str]:
            return {'detail': detail, 'target': folder.name, 'kind': kind}

        if not readable(folder) or not has_compose_file(folder):
            return action('ignored', 'this folder holds no app that could be started')
        if placeholders(dotenv.values(read_text(folder / '.env'))):
            return action('ignored', 'its .env has to be completed first')
        try:
            run('docker', 'compose', 'up', '--detach', '--remove-orphans', folder=folder)
            return action('up', 'its containers are as its files say')
        except ToolFailed as problem:
            return action('failed', str(problem))

    def update_app(self, name: str) -> Answer:
        with CHANGES:
            folder = self.installed_app(name)
            try:
                run('docker', 'compose', 'pull', '--ignore-buildable', '--quiet', folder=folder)
                changed = image_changes(folder)
                if changed:
                    run('docker', 'compose', 'up', '--detach', folder=folder)
            except (ToolFailed, ValueError, KeyError) as problem:
                raise Refused(502, f'docker: {problem}') from problem
        return 200, {'services': changed, 'updated': changed != [], 'app': name}

    def remove(self, name: str) -> Answer:
        with CHANGES:
            folder = self.installed_app(name)
            warning = self.take_down(folder)
            try:
                self.put_away(folder)
            except OSError as problem:
                raise Refused(500, f'{folder} could not be deleted: {problem.strerror}') from problem
        return 200, {'compose_warning': warning, 'removed': name}

    def take_down(self, folder: Path) -> str | None:
        try:
            if has_compose_file(folder):
                run('docker', 'compose', 'down', '--remove-orphans', folder=folder, seconds=60)
            else:
                run('docker', 'compose', '--project-name', folder.name.lower(), 'down', seconds=60)
            return None
        except ToolFailed as problem:
            return str(problem)

    def put_away(self, folder: Path) -> None:
        if folder.is_symlink():
            folder.unlink()
        elif self.keep_days == 0:
            shutil.rmtree(folder)
        else:
            self.attic.mkdir(mode=0o700, exist_ok=True)
            shutil.move(folder, self.attic / f'{time.time_ns()}-{folder.name}')

    def empty_attic(self) -> None:
        """Erases what was put away longer ago than removed apps are kept."""
        oldest = time.time_ns() - self.keep_days * 86_400 * 10**9
        for folder in self.folders(self.attic):
            if int(folder.name.split('-', 1)[0]) < oldest:
                shutil.rmtree(folder)

    # Self-update

    def latest(self) -> str:
        """The version on offer. ToolFailed when the feed cannot be read."""
        if self.feed is None:
            raise ToolFailed('no release feed is configured')
        try:
            with urllib.request.urlopen(self.feed, timeout=10) as feed:
                version = read_json(feed.read(1_000_000))['version']
            versions_newer(version, VERSION)
            return version
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise ToolFailed(f'the release feed cannot be read: {problem}') from problem

    def check_update(self) -> Answer:
        try:
            latest = self.latest()
        except ToolFailed as problem:
            raise Refused(502, str(problem)) from problem
        newer = versions_newer(latest, VERSION)
        return 200, {'update_available': newer, 'latest': latest, 'current': VERSION}

    def update_status(self) -> Answer:
        try:
            state = read_json((self.state_dir / 'update-state.json').read_bytes())
            return 200, state if isinstance(state, dict) else {}
        except (OSError, ValueError):
            return 200, {}

    def start_update(self) -> Answer:
        lock = self.take_update_lock()
        if lock is None or self.updating():
            raise Refused(409, 'an update is already running')
        os.close(lock)
        handed_on = [f'--setenv={name}={value}' for name, value in self.variables().items()]
        job = (sys.executable, os.path.abspath(__file__), 'update')
        try:
            run('systemd-run', '--collect', f'--unit={UPDATE_UNIT}', *handed_on, *job, seconds=30)
        except ToolFailed as problem:
            raise Refused(502, f'the update was not started: {problem}') from problem
        return 202, {'unit': UPDATE_UNIT, 'status': 'dispatched'}

    def variables(self) -> dict[str, str]:
        values = {name: value for name, value in self.settings.items() if value not in (None, [])}
        return {name: ','.join(value) if isinstance(value, list) else str(value) for name, value in values.items()}

    def updating(self) -> bool:
        try:
            run('systemctl', 'is-active', '--quiet', UPDATE_UNIT, seconds=30)
            return True
        except ToolFailed:
            return False

    def take_update_lock(self) -> int | None:
        """The lock's descriptor, or null while somebody else holds it."""
        lock = os.open(self.state_dir / 'update.lock', os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            os.close(lock)
            return None

    def update(self) -> None:
        """The job: it holds the lock as long as it runs, and says in the state how it went."""
        if self.take_update_lock() is None:
            end(1, 'an update is already running')
        self.write_update_state({'stage': 'looking'})
        try:
            latest = self.latest()
        except ToolFailed as problem:
            self.write_update_state({'stage': 'rolled_back', 'reason': str(problem)})
            return
        if versions_newer(latest, VERSION):
            self.write_update_state({'stage': 'rolled_back', 'reason': 'this software cannot be replaced'})
        else:
            self.write_update_state({'stage': 'done'})

    def write_update_state(self, state: dict[str, str]) -> None:
        replace_file(self.state_dir / 'update-state.json', json.dumps(state), 0o644)


def setting_entry(setting: dict[str, Any], values: dict[str, str]) -> dict[str, Any]:
    default = setting.get('default')
    default = None if default is None else as_text(default)
    kind = str(setting.get('type', 'text'))
    value = '' if kind == 'password' else values.get(setting['name'], default or '')
    return {
        'value': value,
        'default': default,
        'required': bool(setting.get('required', False)),
        'type': kind,
        'description': str(setting.get('description', '')),
        'label': str(setting.get('label', setting['name'])),
        'name': setting['name'],
    }


def as_text(value: Any) -> str:
    if value is None:
        return ''
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def coerced(settings: dict[str, Any]) -> dict[str, str]:
    """The values as `.env` will hold them; refuses what no environment can."""
    changes = {key: as_text(value) for key, value in settings.items()}
    for key, value in changes.items():
        if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_]*', key):
            raise Refused(400, 'a setting has a name that no variable can have')
        if '\0' in value or re.search('[\ud800-\udfff]', value):
            raise Refused(400, f'{key} has a value that no variable can have')
    return changes


def placeholders(values: dict[str, str]) -> list[str]:
    return sorted(key for key, value in values.items() if PLACEHOLDER.search(value))


def status_of(actions: list[dict[str, str]]) -> int:
    return 207 if any(action['kind'] == 'failed' for action in actions) else 200


def copy_app(source: Path, target: Path) -> None:
    """Puts the bundle's files over what is there; an `.env` that is there stays."""
    kept = target.exists()
    shutil.copytree(
        source,
        target,
        symlinks=True,
        dirs_exist_ok=True,
        ignore=lambda folder, _: ['.env'] if kept and folder == str(source) else [],
    )
    example = target / '.env.example'
    if not (target / '.env').exists() and example.is_file():
        replace_file(target / '.env', read_text(example), 0o600)


def write_env(folder: Path, changes: dict[str, str]) -> None:
    if changes:
        replace_file(folder / '.env', dotenv.merge(read_text(folder / '.env'), changes), 0o600)


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


def image_changes(folder: Path) -> list[dict[str, str]]:
    """Each service whose running container has another image than its tag names now."""
    services = json.loads(run('docker', 'compose', 'config', '--format=json', folder=folder))['services']
    changes = []
    for name, service in services.items():
        containers = run('docker', 'compose', 'ps', '--quiet', name, folder=folder).split()
        if not containers:
            continue
        container = json.loads(run('docker', 'container', 'inspect', containers[0]))[0]
        tag = service.get('image') or container['Config']['Image']
        try:
            local = json.loads(run('docker', 'image', 'inspect', tag))[0]['Id']
        except ToolFailed:
            continue
        if local != container['Image']:
            changes.append({'tag': tag, 'to': local, 'from': container['Image'], 'service': name})
    return changes


def versions_newer(one: str, other: str) -> bool:
    def numbers(version: str) -> list[int]:
        return [int(part) for part in re.split(r'[-+]', version)[0].split('.')]

    return numbers(one) > numbers(other)


# The API


def make_answer(box: Box):
    def answer(request: Request) -> Answer:
        if request.method == 'GET':
            return get(box, request.path)
        if request.method == 'POST':
            return post(box, request.path, read_body(request.body))
        raise Refused(405, 'there is only GET and POST here')

    return answer


def read_body(body: bytes) -> dict[str, Any]:
    try:
        value = read_json(body) if body else {}
    except ValueError as problem:
        raise Refused(400, 'invalid JSON body') from problem
    if not isinstance(value, dict):
        raise Refused(400, 'body must be a JSON object')
    return value


def name_in(path: str, last: str) -> str | None:
    """The app's name in `/api/apps/<name>/<last>`, or null for another path."""
    matched = re.fullmatch(rf'/api/apps/(.*)/{last}', path, re.DOTALL)
    if matched is None:
        return None
    if matched[1] == '' or '/' in matched[1]:
        raise Refused(400, 'invalid app name')
    return matched[1]


def get(box: Box, path: str) -> Answer:
    if path in ('/', '/apps', '/apps/'):
        return 200, Page(PAGE)
    if path == '/api/apps':
        return box.list_apps()
    if path == '/api/bundled':
        return box.list_bundled()
    if path == '/api/self/update/status':
        return box.update_status()
    name = name_in(path, 'settings')
    if name is None:
        raise Refused(404, 'not found')
    return box.show_settings(name)


def post(box: Box, path: str, body: dict[str, Any]) -> Answer:
    name = name_in(path, 'settings')
    if name is not None:
        return box.change_settings(name, body.get('settings'))
    name = name_in(path, 'update')
    if name is not None:
        return box.update_app(name)
    if path == '/api/self/update/check':
        return box.check_update()
    if path == '/api/self/update/apply':
        return box.start_update()
    name = body.get('name')
    if not isinstance(name, str) or name == '':
        raise Refused(400, "missing or empty 'name' field")
    if path == '/api/apps/install':
        settings = body.get('settings', {})
        if not isinstance(settings, dict):
            raise Refused(400, "'settings' must be an object")
        return box.install(name, settings)
    if path == '/api/apps/remove':
        return box.remove(name)
    raise Refused(404, 'not found')


PAGE = (Path(__file__).parent / 'box-page.html').read_text('utf-8')


def main(arguments: list[str]) -> None:
    job = arguments[:1] == ['update']
    settings = read_settings(SETTINGS, arguments[1:] if job else arguments, 'box.py')
    box = Box(settings)
    try:
        box.prepare()
    except OSError as problem:
        end(1, f'{problem.filename}: {problem.strerror}')
    if job:
        box.update()
    else:
        serve(settings['BOX_HOST'], settings['BOX_PORT'], make_answer(box), lambda: None)


main(sys.argv[1:])
