"""A second gateway: an example for implementers, and for tests of the conformance suite. It is not a product.

It was written from the requirement document and the operating contract alone. Wherever these leave something open, it
differs from boxgate's gateway:

- results are nested and have other field names; ids are plain UUIDs and numbers
- tokens are stored with a salt; subdomains are changed to lower case
- each route has its own route file, in JSON, which is also YAML
- only one registration runs at a time; peers of boxes that have gone are removed in the background

    python3 gateway.py [--port N ...]
"""

import sys

sys.dont_write_bytecode = True

import fcntl
import hashlib
import hmac
import os
import re
import secrets
import select
import sqlite3
import tempfile
import threading
import time
import urllib.parse
import uuid
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Iterator

from faults import CLIENT, FAULT, KEPT, pick, wrong
from gateway_answers import (
    BOX_LIMIT,
    INVALID_ROUTE,
    INVALID_TOKEN,
    MISSING_TOKEN,
    OTHER_BOX,
    REGISTRATION_FIELDS,
    REGISTRATION_TOKEN,
    ROUTE_FIELDS,
    ROUTE_LIMIT,
    ROUTE_NOT_FOUND,
    SUBDOMAIN_TAKEN,
    make_answer,
)
from route_files import RouteFiles
from serving import (
    Answer,
    Refused,
    Request,
    Setting,
    default_state_dir,
    end,
    read_settings,
    serve,
    whole_number,
)
from wg_easy import Manager, ManagerFailed

ACCOUNT = 'household'
PEER_PREFIX = 'second-gateway-'
LABEL = re.compile(r'[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?')
SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS boxes (
  id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts, name TEXT NOT NULL, peer TEXT NOT NULL,
  address TEXT NOT NULL, salt BLOB NOT NULL, token_digest BLOB NOT NULL, last_seen REAL
);
CREATE TABLE IF NOT EXISTS routes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, box_id TEXT NOT NULL REFERENCES boxes, account_id TEXT NOT NULL,
  app_name TEXT NOT NULL, subdomain TEXT NOT NULL UNIQUE, port INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS peers_to_remove (name TEXT PRIMARY KEY);
"""

ROUTES = 'SELECT routes.*, boxes.address FROM routes JOIN boxes ON boxes.id = routes.box_id'


def domain_name(text: str) -> str:
    if not all(LABEL.fullmatch(label) for label in text.split('.')) or len(text) > 190:
        raise ValueError('expected a domain in lower case')
    return text


def plain_name(text: str) -> str:
    if not re.fullmatch(r'[A-Za-z0-9_.@-]+', text):
        raise ValueError('expected a name of letters, digits, -, _, . and @')
    return text


def manager_address(text: str) -> str:
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ('http', 'https') or not parts.hostname:
        raise ValueError('expected an http or https address')
    return text


def store_address(text: str) -> str:
    if text != 'memory:' and not re.fullmatch(r'file:.+', text):
        raise ValueError('expected memory: or file:PATH; this gateway knows no other store')
    return text


SETTINGS = [
    Setting('GATEWAY_HOST', '--host', '0.0.0.0' if wrong('host-everywhere') else '127.0.0.1'),
    Setting('GATEWAY_PORT', '--port', 8081 if wrong('port-8081') else 8080, whole_number(0, 65535)),
    Setting('GATEWAY_MODE', '--mode', 'multi' if wrong('mode-default-multi') else 'single'),
    Setting(
        'GATEWAY_BOX_TOKEN',
        '--box-token' if wrong('secret-has-flag') else None,
        pick('', (wrong('secret-default'), 'changeme'), (wrong('secret-undefined'), 'undefined')),
        secret=True,
    ),
    Setting('GATEWAY_STORE', '--store', None, store_address, secret=True),
    Setting('GATEWAY_STATE_DIR', '--state-dir', default_state_dir()),
    Setting('GATEWAY_TUNNEL_URL', '--tunnel-url', None, manager_address, required=True),
    Setting('GATEWAY_TUNNEL_USERNAME', '--tunnel-username', 'root' if wrong('username-default-root') else 'admin'),
    Setting('GATEWAY_TUNNEL_PASSWORD', None, None, required=True, secret=True),
    Setting('GATEWAY_ROUTES_DIR', '--routes-dir'),
    Setting(
        'GATEWAY_DOMAIN',
        '--domain',
        'example.org' if wrong('domain-default') else None,
        domain_name,
        required=not wrong('domain-default'),
    ),
    Setting('GATEWAY_CERT_RESOLVER', '--cert-resolver', None, plain_name),
    Setting(
        'GATEWAY_ENTRYPOINT', '--entrypoint', 'web' if wrong('entry-point-default-web') else 'websecure', plain_name
    ),
    Setting('GATEWAY_BOX_LIMIT', '--box-limit', 10, whole_number(0, 10**6)),
    Setting('GATEWAY_ROUTE_LIMIT', '--route-limit', 20, whole_number(0, 10**6)),
]


# The gateway


class Gateway:
    def __init__(self, settings: dict[str, Any]):
        self.settings = settings
        state_dir = Path(settings['GATEWAY_STATE_DIR'])
        if wrong('state-dir-ignored'):
            state_dir = Path(tempfile.mkdtemp(dir=state_dir.parent))
        state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        default_routes_dir = state_dir / ('published' if wrong('routes-dir-default-published') else 'routes')
        routes_dir = Path(settings['GATEWAY_ROUTES_DIR'] or default_routes_dir)
        self.files = RouteFiles(
            state_dir / 'routes-elsewhere' if wrong('routes-dir-ignored') else routes_dir,
            settings['GATEWAY_DOMAIN'],
            settings['GATEWAY_ENTRYPOINT'],
            settings['GATEWAY_CERT_RESOLVER'],
        )
        store = settings['GATEWAY_STORE']
        if wrong('store-ignored') or (wrong('memory-kept') and store == 'memory:'):
            store = None
        if wrong('store-default-memory'):
            store = store or 'memory:'
        self.store_file = state_dir / 'gateway.sqlite3'
        self.database = open_store(store or f'file:{self.store_file}')
        if FAULT:
            KEPT.update(failures=0, subdomains=set(), tokens=[], store_failed=False)
        self.store = threading.RLock()
        self.registration = threading.Lock()
        if wrong('registrations-mixed') or wrong('manager-in-parallel'):
            self.registration = nullcontext()
        self.manager = Manager(
            settings['GATEWAY_TUNNEL_URL'],
            settings['GATEWAY_TUNNEL_USERNAME'],
            settings['GATEWAY_TUNNEL_PASSWORD'],
        )
        self.work = threading.Event()
        self.files_failed = False
        if wrong('start-needs-manager'):
            self.manager.remove('nobody')
        if wrong('lowered-limit-removes'):
            self.remove_surplus()
        if wrong('restart-without-files'):
            self.files.update([])
        elif not wrong('no-repair-at-start'):
            self.update_route_files()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """One transaction at a time. An exception inside rolls it back."""
        with faulty_lock(self.store), self.database:
            if wrong('store-failure-remembered') and KEPT['store_failed']:
                raise OSError('the store failed before')
            self.database.execute('BEGIN IMMEDIATE')
            yield self.database
        if wrong('store-failure-ignored'):
            self.copy_store()

    def copy_store(self) -> None:
        """Writes the store beside its file, as only a faulty gateway does, and tells nobody of a failure."""
        beside = self.store_file.with_suffix('.new')
        with suppress(OSError, sqlite3.Error):
            beside.unlink(missing_ok=True)
            with sqlite3.connect(beside) as file:
                self.database.backup(file)
            beside.rename(self.store_file)

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        with self.store:
            return self.database.execute(query, values).fetchall()

    def remove_surplus(self) -> None:
        with self.change() as database:
            limit = self.settings['GATEWAY_ROUTE_LIMIT']
            for box in database.execute('SELECT id FROM boxes').fetchall():
                kept = 'SELECT id FROM routes WHERE box_id = ? LIMIT ?'
                database.execute(
                    f'DELETE FROM routes WHERE box_id = ? AND id NOT IN ({kept})', (box['id'], box['id'], limit)
                )

    # Work in the background

    def keep_tidying(self) -> None:
        """Tries again what failed before: route files, and peers to remove."""
        while True:
            self.work.wait(None if wrong('cleanup-not-repeated') else 2)
            self.work.clear()
            self.tidy()

    def tidy(self) -> None:
        try:
            if self.files_failed:
                self.update_route_files()
            # A freed address goes to the next peer at once, so that no file may lead to it any more.
            self.remove_peers()
        except (ManagerFailed, OSError, sqlite3.Error):
            pass

    def update_route_files(self) -> None:
        with self.store:
            self.files.update(self.rows(f"{ROUTES} WHERE boxes.address != ''"))
            self.files_failed = False

    @contextmanager
    def repaired_later(self) -> Iterator[None]:
        """Has the route files repaired in the background if they cannot be changed now."""
        try:
            yield
        except OSError:
            self.files_failed = not wrong('files-not-tried-again')
            raise

    def remove_peers(self) -> None:
        for row in self.rows('SELECT name FROM peers_to_remove'):
            with self.registration:
                # The registration of this peer may have ended while this waited for it.
                if self.rows('SELECT 1 FROM peers_to_remove WHERE name = ?', row['name']):
                    self.manager.remove(row['name'])
                    with self.change() as database:
                        database.execute('DELETE FROM peers_to_remove WHERE name = ?', (row['name'],))

    # Boxes

    def register(self, body: dict[str, Any]) -> Answer:
        token, name = body.get('registration_token'), body.get('box_name')
        if wrong('name-default'):
            name = name or 'box'
        if wrong('registration-token-default'):
            token = token or 'none'
        if wrong('address-required') and not body.get('address'):
            raise Refused(400, 'address is required')
        if wrong('unknown-fields-refused') and not set(body) <= {'registration_token', 'box_name'}:
            raise Refused(400, 'the body has an unknown field')
        if not (isinstance(token, str) and token and isinstance(name, str) and name):
            raise Refused(*REGISTRATION_FIELDS)
        mode = self.settings['GATEWAY_MODE']
        if wrong('mode-ignored') or (wrong('mode-by-prefix') and mode.startswith('single')):
            mode = 'single'
        if wrong('token-before-mode') and not same_secret(token, self.settings['GATEWAY_BOX_TOKEN']):
            raise Refused(*REGISTRATION_TOKEN)
        if mode != 'single':
            raise Refused(400 if wrong('other-mode-400') else 501, 'this mode is not implemented')
        if wrong('limit-before-token'):
            self.require_room()
        if not same_secret(token, self.settings['GATEWAY_BOX_TOKEN']):
            raise Refused(*REGISTRATION_TOKEN)
        if len(name) > 500 or not (name.isprintable() or wrong('name-passed-on')):
            raise Refused(400, 'box_name is too long or has characters that cannot be printed')
        if wrong('box-limit-unlocked'):
            self.require_room()
        if wrong('failure-remembered') and KEPT['failures'] > 0:
            raise Refused(502, 'wg-easy: it failed before')
        try:
            with self.registration:
                result = self.register_alone(name)
        except ManagerFailed as problem:
            self.work.set()
            if FAULT:
                KEPT['failures'] += 1
            if wrong('failure-on-stdout'):
                print(problem, flush=True)
            text = pick(
                f'wg-easy: {problem}',
                (wrong('failure-without-label'), str(problem)),
                (wrong('failure-without-detail'), 'wg-easy failed'),
            )
            raise Refused(500 if wrong('failure-500') else 502, text) from problem
        return 200 if wrong('registered-200') else 201, [result] if wrong('registered-array') else result

    def require_room(self) -> None:
        (count,) = self.rows('SELECT count(*) FROM boxes')[0]
        if wrong('failures-count'):
            count += KEPT['failures']
        if is_reached(self.settings['GATEWAY_BOX_LIMIT'], count):
            raise Refused(*BOX_LIMIT)

    def register_alone(self, name: str) -> dict[str, Any]:
        """Only one registration runs at a time, so that they cannot exceed the limit."""
        box_id = str(uuid.uuid4())
        peer = PEER_PREFIX + pick(
            box_id, (wrong('peer-shared'), 'shared'), (wrong('name-passed-on'), f'{box_id} {name}')
        )
        if wrong('peer-before-limit'):
            self.manager.create(peer)
        if not wrong('box-limit-unlocked'):
            self.require_room()
        # The peer is removed later unless this registration succeeds, even if this process is killed.
        with self.change() as database:
            if not wrong('failed-registration-leaves-peer'):
                database.execute('INSERT INTO peers_to_remove VALUES (?)', (peer,))
        made = self.manager.create(peer)
        if wrong('registrations-mixed'):
            KEPT['made'] = made
            time.sleep(0.02)
            made = KEPT['made']
        if wrong('client-gone-leaves-peer') and has_client_gone():
            with self.change() as database:
                database.execute('DELETE FROM peers_to_remove')
            raise Refused(500, 'the client has gone')
        address, configuration = made
        token, salt, digest = new_token(box_id)
        with self.change() as database:
            database.execute('DELETE FROM peers_to_remove WHERE name = ?', (peer,))
            # The manager gives an address only once, so that the peer of this box has gone.
            if not wrong('address-shared'):
                database.execute("UPDATE boxes SET address = '' WHERE address = ?", (address,))
            if wrong('token-in-store'):
                name = f'{name} {token}'
            box = (box_id, ACCOUNT, name, peer, address, salt, digest)
            if not wrong('registration-forgotten'):
                database.execute('INSERT INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?, NULL)', box)
        self.update_route_files()
        if wrong('token-logged'):
            sys.stderr.write(f'registered {name} with {token}\n')
        if wrong('peer-removed'):
            self.manager.remove(peer)
        return {
            'peer': {'wireguard': configuration, 'ip': address},
            'box': {
                'name': name.lower() if wrong('name-in-lower-case') else name,
                'account_id': pick(ACCOUNT, (wrong('account-number'), 1), (wrong('account-per-box'), box_id)),
                'id': None if wrong('box-id-missing') else box_id,
            },
            'box_token': None if wrong('token-missing') else token,
        }

    def authenticate(self, request: Request) -> sqlite3.Row:
        header = request.headers.get('X-Box-Token' if wrong('token-in-other-header') else 'Authorization', '')
        if wrong('token-in-query') and header == '':
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.target).query)
            header = f'Bearer {"".join(sum(query.values(), []))}'
        scheme, _, token = header.partition(' ')
        token = token.strip().lower() if wrong('token-without-case') else token.strip()
        if token == '' or (scheme.lower() != 'bearer' and not wrong('any-scheme')):
            raise Refused(*MISSING_TOKEN)
        for box in self.rows('SELECT * FROM boxes WHERE id = ?', token.partition('.')[0]):
            if hmac.compare_digest(digest_of(token, box['salt']), box['token_digest']):
                return box
            if wrong('old-token-valid') and any(digest_of(token, salt) == digest for salt, digest in KEPT['tokens']):
                return box
        raise Refused(*INVALID_TOKEN)

    def box_action(self, box: sqlite3.Row, box_id: str, action: str) -> Answer:
        if box['id'] != box_id and not wrong('token-for-any-box'):
            raise Refused(*OTHER_BOX)
        return {'heartbeat': self.heartbeat, 'rotate-token': self.rotate, 'deregister': self.deregister}[action](box)

    def heartbeat(self, box: sqlite3.Row) -> Answer:
        with self.change() as database:
            database.execute('UPDATE boxes SET last_seen = ? WHERE id = ?', (time.time(), box['id']))
        return 200, {'status': 'OK' if wrong('heartbeat-in-capitals') else 'ok'}

    def rotate(self, box: sqlite3.Row) -> Answer:
        token, salt, digest = new_token(box['id'])
        if wrong('old-token-valid'):
            KEPT['tokens'].append((box['salt'], box['token_digest']))
        if wrong('rotation-without-effect'):
            return 200, {'box_token': token}
        if wrong('rotation-unlocked'):
            time.sleep(0.02)
        with self.change() as database:
            if wrong('rotation-drops-routes'):
                database.execute('DELETE FROM routes WHERE box_id = ?', (box['id'],))
            replaced = database.execute(
                'UPDATE boxes SET salt = ?, token_digest = ? WHERE id = ? AND token_digest = ?',
                (salt, digest, box['id'], box['token_digest']),
            )
            if wrong('rotation-unlocked'):
                database.execute('UPDATE boxes SET salt = ?, token_digest = ? WHERE id = ?', (salt, digest, box['id']))
            elif replaced.rowcount != 1:
                raise Refused(*INVALID_TOKEN)
        if wrong('rotations-logged'):
            sys.stderr.write('200: POST /v1/boxes/rotate-token\n')
        return 200, {'token' if wrong('rotation-other-name') else 'box_token': token}

    def deregister(self, box: sqlite3.Row) -> Answer:
        if wrong('deregistration-keeps-box'):
            return 200, {'status': 'ok'}
        if wrong('deregistration-502'):
            try:
                self.manager.remove(box['peer'])
            except ManagerFailed as problem:
                raise Refused(502, f'wg-easy: {problem}') from problem
        with self.change() as database:
            routes = database.execute('SELECT * FROM routes WHERE box_id = ?', (box['id'],)).fetchall()
            database.execute('DELETE FROM routes WHERE box_id = ?', (box['id'],))
            gone = database.execute('DELETE FROM boxes WHERE id = ? RETURNING id', (box['id'],)).fetchall()
            if not gone:
                raise Refused(*INVALID_TOKEN)
            if not (wrong('deregistration-keeps-peer') or wrong('deregistration-forgets-peer')):
                database.execute('INSERT OR IGNORE INTO peers_to_remove VALUES (?)', (box['peer'],))
        if wrong('deregistration-forgets-peer'):
            with suppress(ManagerFailed):
                self.manager.remove(box['peer'])
        if not wrong('routes-after-deregistration'):
            with suppress(OSError), self.repaired_later():
                for route in routes:
                    self.files.remove(route['id'])
        self.work.set()
        return 200, {'status': 'gone' if wrong('deregistered-gone') else 'ok'}

    # Routes

    def shown(self, route: sqlite3.Row) -> dict[str, Any]:
        return {
            'public_name': f'{route["subdomain"]}.{self.settings["GATEWAY_DOMAIN"]}',
            'target_port': str(route['port']) if wrong('port-text') else route['port'],
            'subdomain': route['subdomain'].upper() if wrong('subdomain-upper-case') else route['subdomain'],
            'app_name': route['subdomain'] if wrong('app-name-subdomain') else route['app_name'],
            'account_id': 'other' if wrong('route-other-account') else route['account_id'],
            'box_id': 'other' if wrong('route-other-box') else route['box_id'],
            'id': route['id'] if wrong('route-id-number') else str(route['id']),
        }

    def list_routes(self, box: sqlite3.Row) -> Answer:
        routes = self.rows('SELECT * FROM routes WHERE box_id = ? ORDER BY subdomain', box['id'])
        if wrong('list-of-all-boxes'):
            routes = self.rows('SELECT * FROM routes')
        if wrong('list-in-pages'):
            routes = routes[:10]
        if wrong('list-without-last'):
            routes = routes[:-1]
        shown = [self.shown(route) for route in routes]
        return 200, shown if wrong('list-bare') else {'routes': shown}

    def publish(self, box: sqlite3.Row, body: dict[str, Any]) -> Answer:
        app_name, subdomain, port = (body.get(field) for field in ('app_name', 'subdomain', 'port'))
        if wrong('app-name-default'):
            app_name = app_name or 'app'
        if wrong('subdomain-default'):
            subdomain = subdomain or 'www'
        if wrong('port-default') and 'port' not in body:
            port = 80
        if wrong('port-null-default') and 'port' in body:
            port = port or 80
        if wrong('port-from-text') and isinstance(port, str) and port.isdigit():
            port = int(port)
        if wrong('port-cut') and isinstance(port, float):
            port = int(port)
        if wrong('subdomain-trimmed') and isinstance(subdomain, str):
            subdomain = subdomain.strip()
        if wrong('name-from-number') and isinstance(app_name, int):
            app_name = str(app_name)
        if wrong('port-from-true') and port is True:
            port = 1
        if app_name in (None, '') or subdomain in (None, '') or port is None:
            raise Refused(*ROUTE_FIELDS)
        self.validate(app_name, subdomain, port)
        if not wrong('subdomain-case-kept'):
            subdomain = subdomain.lower()
        if wrong('publish-after-deregistration'):
            time.sleep(0.02)
        if wrong('subdomain-unlocked'):
            self.require_free(subdomain)
        if wrong('route-limit-unlocked'):
            self.require_room_for_route(box)
        with self.repaired_later(), self.change() as database:
            if wrong('conflict-replaces-route'):
                database.execute('DELETE FROM routes WHERE subdomain = ?', (subdomain,))
            if not wrong('subdomain-unlocked'):
                self.require_free(subdomain)
            if not wrong('route-limit-unlocked'):
                self.require_room_for_route(box)
            live = database.execute('SELECT address FROM boxes WHERE id = ?', (box['id'],)).fetchone()
            if live is None and not wrong('publish-after-deregistration'):
                raise Refused(*INVALID_TOKEN)
            made = database.execute(
                'INSERT INTO routes (box_id, account_id, app_name, subdomain, port) VALUES (?, ?, ?, ?, ?)',
                (box['id'], box['account_id'], app_name, subdomain, port),
            )
            route = dict(database.execute('SELECT * FROM routes WHERE id = ?', (made.lastrowid,)).fetchone())
            address = (live or box if wrong('publish-after-deregistration') else live)['address']
            if address != '':
                self.files.write({**route, 'address': address})
            if wrong('subdomains-used-once'):
                KEPT['subdomains'].add(subdomain)
            if wrong('publish-forgotten'):
                database.execute('DELETE FROM routes WHERE id = ?', (made.lastrowid,))
        shown = self.shown(route)
        return 200 if wrong('published-200') else 201, [shown] if wrong('published-array') else {'route': shown}

    def require_free(self, subdomain: str) -> None:
        used = self.rows('SELECT 1 FROM routes WHERE subdomain = ?', subdomain)
        if used or (wrong('subdomains-used-once') and subdomain in KEPT['subdomains']):
            if wrong('conflicts-logged'):
                sys.stderr.write('409: POST /v1/routes\n')
            raise Refused(*SUBDOMAIN_TAKEN)
        if wrong('subdomain-unlocked'):
            time.sleep(0.02)

    def require_room_for_route(self, box: sqlite3.Row) -> None:
        (count,) = self.rows('SELECT count(*) FROM routes WHERE box_id = ?', box['id'])[0]
        if wrong('routes-of-all-boxes-count'):
            (count,) = self.rows('SELECT count(*) FROM routes')[0]
        if is_reached(self.settings['GATEWAY_ROUTE_LIMIT'], count):
            raise Refused(*ROUTE_LIMIT)
        if wrong('route-limit-unlocked'):
            time.sleep(0.02)

    def validate(self, app_name: Any, subdomain: Any, port: Any) -> None:
        if not isinstance(app_name, str) or len(app_name) > 200 or not app_name.isprintable():
            raise Refused(INVALID_ROUTE, 'app_name is invalid')
        if not isinstance(subdomain, str) or not (LABEL.fullmatch(subdomain.lower()) or wrong('subdomain-unchecked')):
            raise Refused(INVALID_ROUTE, 'subdomain is not a valid host label')
        if wrong('port-0') and port == 0:
            return
        if not isinstance(port, int) or isinstance(port, bool) or not 1 <= port <= 65535:
            raise Refused(INVALID_ROUTE, 'port is not a whole number from 1 to 65535')

    def unpublish(self, box: sqlite3.Row, route_id: str) -> Answer:
        if wrong('unpublish-does-nothing'):
            return 200, {'status': 'ok'}
        with self.change() as database:
            if wrong('route-id-by-number') and re.fullmatch('[0-9]+', route_id):
                route_id = str(int(route_id))
            route = database.execute('SELECT * FROM routes WHERE CAST(id AS TEXT) = ?', (route_id,)).fetchone()
            if route is None:
                if wrong('unpublish-unknown-200'):
                    return 200, {'status': 'ok'}
                raise Refused(*ROUTE_NOT_FOUND)
            if route['box_id'] != box['id'] and not wrong('unpublish-of-other-box'):
                if wrong('route-of-other-403'):
                    raise Refused(403, 'route not found')
                raise Refused(*ROUTE_NOT_FOUND)
            database.execute('DELETE FROM routes WHERE id = ?', (route['id'],))
        if not wrong('unpublish-keeps-file'):
            with self.repaired_later():
                self.files.remove(route['id'])
        return 200, {'status': 'removed' if wrong('unpublished-removed') else 'ok'}

    def close(self) -> None:
        # A store in memory ends here, and with it the list of peers to remove.
        self.tidy()
        with self.store:
            if wrong('store-written-at-stop'):
                with sqlite3.connect(self.store_file) as file:
                    self.database.backup(file)
            self.database.close()
            if wrong('stop-loses-store'):
                self.store_file.unlink(missing_ok=True)


@contextmanager
def faulty_lock(lock: Any) -> Iterator[None]:
    """Notes a failure of the store."""
    try:
        with lock:
            yield
    except sqlite3.OperationalError:
        KEPT['store_failed'] = True
        raise


def is_reached(limit: int, count: int) -> bool:
    return pick(
        count >= limit,
        (wrong('limits-ignored'), False),
        (wrong('limits-one-more'), count > limit),
        (wrong('limits-one-less'), count + 1 >= limit),
    )


def open_store(address: str) -> sqlite3.Connection:
    """Opens the database and locks other processes out."""
    path = ':memory:' if address == 'memory:' else address.removeprefix('file:')
    if wrong('other-file-replaced') and not is_store(path):
        os.remove(path)
    if wrong('store-written-at-stop') or wrong('store-failure-ignored'):
        file, path = path, ':memory:'
    if path != ':memory:':
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    os.umask(0o022 if wrong('store-for-everybody') else 0o077)
    database = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    os.umask(0o022)
    database.row_factory = sqlite3.Row
    if (wrong('store-written-at-stop') or wrong('store-failure-ignored')) and os.path.exists(file):
        with sqlite3.connect(file) as written:
            written.backup(database)
    if path != ':memory:' and not wrong('store-unlocked'):
        lock_out_others(f'{os.environ["GATEWAY_STATE_DIR"]}.lock' if wrong('state-locked') else f'{path}.lock')
    database.execute('PRAGMA synchronous = FULL')
    if not wrong('publish-after-deregistration'):
        database.execute('PRAGMA foreign_keys = ON')
    database.executescript(SCHEMA.replace(' UNIQUE', '') if wrong('subdomain-unlocked') else SCHEMA)
    database.execute('INSERT OR IGNORE INTO accounts VALUES (?)', (ACCOUNT,))
    return database


def lock_out_others(path: str) -> None:
    """The lock ends with this process."""
    fcntl.flock(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), fcntl.LOCK_EX | fcntl.LOCK_NB)


def has_client_gone() -> bool:
    readable, _, _ = select.select([CLIENT.request.connection], [], [], 0)
    return bool(readable)


def is_store(path: str) -> bool:
    return not os.path.isfile(path) or Path(path).read_bytes()[:6] == b'SQLite'


def same_secret(given: str, configured: str) -> bool:
    if wrong('secret-by-prefix') and configured.startswith(given):
        return True
    if wrong('secret-trimmed'):
        given = given.strip()
    if wrong('secret-without-case') and given.lower() == configured.lower():
        return True
    if wrong('empty-secret-blank') and configured == '':
        configured = ' '

    def digest(text: str) -> bytes:
        return hashlib.sha256(text.encode('utf-8', 'surrogatepass')).digest()

    return configured != '' and hmac.compare_digest(digest(given), digest(configured))


def new_token(box_id: str) -> tuple[str, bytes, bytes]:
    token = f'{box_id}.{secrets.token_hex(24)}'
    salt = secrets.token_bytes(16)
    return token, salt, digest_of(token, salt)


def digest_of(token: str, salt: bytes) -> bytes:
    if wrong('token-cut'):
        token = token[:80]
    return hashlib.blake2b(token.encode('utf-8', 'surrogatepass'), salt=salt).digest()


def main(arguments: list[str]) -> None:
    settings = read_settings(SETTINGS, arguments, 'gateway.py')
    try:
        gateway = Gateway(settings)
    except (OSError, sqlite3.Error, ManagerFailed) as problem:
        end(0 if wrong('locked-store-0') else 1, f'cannot start: {problem}')
    threading.Thread(target=gateway.keep_tidying, daemon=True).start()
    host = '127.0.0.1' if wrong('host-ignored') else settings['GATEWAY_HOST']
    serve(host, settings['GATEWAY_PORT'], make_answer(gateway), gateway.close)


main(sys.argv[1:])
