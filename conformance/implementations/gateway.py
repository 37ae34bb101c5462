"""A second gateway, for testing the conformance suite. It is not a product.

It was written from the requirement document and the operating contract alone. Wherever these leave something open, it
differs from boxgate's gateway:

- results are nested and have other field names; ids are plain UUIDs and numbers
- tokens are stored with a salt; subdomains are changed to lower case
- each route has its own route file, in JSON, which is also YAML
- only one registration runs at a time, and each logs in to the tunnel manager again

    python3 gateway.py [--port N ...]
"""

import sys

sys.dont_write_bytecode = True

import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
import tempfile
import threading
import time
import urllib.parse
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from serving import (
    Answer,
    Refused,
    Request,
    Setting,
    default_state_dir,
    end,
    pick,
    read_json,
    read_settings,
    serve,
    whole_number,
    wrong,
)
from wg_easy import ManagerFailed, Session

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
    Setting('GATEWAY_ENTRYPOINT', '--entrypoint', 'web' if wrong('entry-point-default-web') else 'websecure', plain_name),
    Setting('GATEWAY_BOX_LIMIT', '--box-limit', 100 if wrong('box-limit-default-100') else 10, whole_number(0, 10**6)),
    Setting(
        'GATEWAY_ROUTE_LIMIT', '--route-limit', 19 if wrong('route-limit-default-19') else 20, whole_number(0, 10**6)
    ),
]


# Refusals: status and text

NOT_FOUND = (
    400 if wrong('not-found-400') else 404,
    'Not found' if wrong('not-found-text') else 'not found',
)
MISSING_TOKEN = (
    403 if wrong('missing-token-403') else 401,
    'no bearer token' if wrong('missing-token-text') else 'missing bearer token',
)
INVALID_TOKEN = (
    403 if wrong('invalid-token-403') else 401,
    'unknown box token' if wrong('invalid-token-text') else 'invalid or expired box token',
)
OTHER_BOX = (
    404 if wrong('other-box-404') else 403,
    'not your box' if wrong('other-box-text') else 'token does not authorize this box',
)
REGISTRATION_FIELDS = (
    422 if wrong('registration-fields-422') else 400,
    'fields are missing' if wrong('registration-fields-text') else 'registration_token and box_name are required',
)
REGISTRATION_TOKEN = (
    403 if wrong('registration-token-403') else 401,
    'wrong registration token' if wrong('registration-token-text') else 'invalid registration token',
)
BOX_LIMIT = (
    429 if wrong('box-limit-429') else 403,
    'too many boxes' if wrong('box-limit-text') else 'box limit exceeded for this account',
)
ROUTE_FIELDS = (
    422 if wrong('route-fields-422') else 400,
    'fields are missing' if wrong('route-fields-text') else 'app_name, subdomain, and port are required',
)
SUBDOMAIN_TAKEN = (
    400 if wrong('subdomain-taken-400') else 409,
    'subdomain taken' if wrong('subdomain-taken-text') else 'subdomain already in use',
)
ROUTE_LIMIT = (
    409 if wrong('route-limit-409') else 403,
    'too many routes' if wrong('route-limit-text') else 'route limit exceeded for this box',
)
INVALID_ROUTE = 422 if wrong('invalid-route-422') else 400
ROUTE_NOT_FOUND = (
    400 if wrong('route-not-found-400') else 404,
    'no such route' if wrong('route-not-found-text') else 'route not found',
)


# The gateway


class Gateway:
    def __init__(self, settings: dict[str, Any]):
        self.settings = settings
        state_dir = Path(settings['GATEWAY_STATE_DIR'])
        if wrong('state-dir-ignored'):
            state_dir = Path(tempfile.mkdtemp(dir=state_dir.parent))
        state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        default_routes_dir = state_dir / ('published' if wrong('routes-dir-default-published') else 'routes')
        self.routes_dir = Path(settings['GATEWAY_ROUTES_DIR'] or default_routes_dir)
        if wrong('routes-dir-ignored'):
            self.routes_dir = state_dir / 'routes-elsewhere'
        self.routes_dir.mkdir(parents=True, exist_ok=True)
        store = settings['GATEWAY_STORE']
        if wrong('store-ignored') or (wrong('memory-kept') and store == 'memory:'):
            store = None
        if wrong('store-default-memory'):
            store = store or 'memory:'
        self.store_file = state_dir / 'gateway.sqlite3'
        self.database = open_store(store or f'file:{self.store_file}')
        self.failures = 0
        self.replaced: list[tuple[str, bytes, bytes]] = []
        self.store = threading.RLock()
        self.manager = threading.Lock()
        self.work = threading.Event()
        self.sync_route_files()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """One transaction at a time. An exception inside rolls it back."""
        with self.store, self.database:
            self.database.execute('BEGIN IMMEDIATE')
            yield self.database

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        with self.store:
            return self.database.execute(query, values).fetchall()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session at the tunnel manager; only one at a time."""
        with self.manager:
            settings = self.settings
            yield Session(
                settings['GATEWAY_TUNNEL_URL'],
                settings['GATEWAY_TUNNEL_USERNAME'],
                settings['GATEWAY_TUNNEL_PASSWORD'],
            )

    # Boxes

    def register(self, body: dict[str, Any]) -> Answer:
        token, name = body.get('registration_token'), body.get('box_name')
        if wrong('name-default'):
            name = name or 'box'
        if wrong('registration-token-default'):
            token = token or 'none'
        if wrong('address-required') and not body.get('address'):
            raise Refused(400, 'address is required')
        if not (isinstance(token, str) and token and isinstance(name, str) and name):
            raise Refused(*REGISTRATION_FIELDS)
        mode = self.settings['GATEWAY_MODE']
        if wrong('mode-ignored') or (wrong('mode-by-prefix') and mode.startswith('single')):
            mode = 'single'
        if mode != 'single':
            raise Refused(400 if wrong('other-mode-400') else 501, 'this mode is not implemented')
        if not same_secret(token, self.settings['GATEWAY_BOX_TOKEN']):
            raise Refused(*REGISTRATION_TOKEN)
        if len(name) > 500 or not name.isprintable():
            raise Refused(400, 'box_name is too long or has characters that cannot be printed')
        if wrong('public-key-refused') and 'public_key' in body:
            raise Refused(400, 'public_key is unknown')
        try:
            with self.session() as session:
                result = self.register_with(session, name)
        except ManagerFailed as problem:
            self.work.set()
            self.failures += 1
            if wrong('failure-on-stdout'):
                print(problem, flush=True)
            text = pick(
                f'wg-easy: {problem}',
                (wrong('failure-without-label'), str(problem)),
                (wrong('failure-without-detail'), 'wg-easy failed'),
            )
            raise Refused(500 if wrong('failure-500') else 502, text) from problem
        return 200 if wrong('registered-200') else 201, [result] if wrong('registered-array') else result

    def register_with(self, session: Session, name: str) -> dict[str, Any]:
        """The session makes registrations run one at a time, so that they cannot exceed the limit."""
        box_id = str(uuid.uuid4())
        peer = PEER_PREFIX + ('shared' if wrong('peer-shared') else box_id)
        if wrong('peer-before-limit'):
            session.create(peer)
        with self.change() as database:
            (count,) = database.execute('SELECT count(*) FROM boxes').fetchone()
            if wrong('failures-count'):
                count += self.failures
            if is_reached(self.settings['GATEWAY_BOX_LIMIT'], count):
                raise Refused(*BOX_LIMIT)
            database.execute('INSERT INTO peers_to_remove VALUES (?)', (peer,))
        try:
            address, configuration = session.create(peer)
        except ManagerFailed:
            self.forget_peer(session, peer)
            raise
        token, salt, digest = new_token(box_id)
        with self.change() as database:
            database.execute('DELETE FROM peers_to_remove WHERE name = ?', (peer,))
            box = (box_id, ACCOUNT, name, peer, address, salt, digest)
            if not wrong('registration-forgotten'):
                database.execute('INSERT INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?, NULL)', box)
        if wrong('peer-removed'):
            session.remove(peer)
        return {
            'peer': {'wireguard': configuration, 'ip': address},
            'box': {
                'name': name.lower() if wrong('name-in-lower-case') else name,
                'account_id': pick(ACCOUNT, (wrong('account-number'), 1), (wrong('account-per-box'), box_id)),
                'id': None if wrong('box-id-missing') else box_id,
            },
            'box_token': None if wrong('token-missing') else token,
        }

    def forget_peer(self, session: Session, peer: str) -> None:
        """Removes the peer. If that fails, it stays in the list of peers to remove."""
        try:
            session.remove(peer)
        except ManagerFailed:
            return
        with self.change() as database:
            database.execute('DELETE FROM peers_to_remove WHERE name = ?', (peer,))

    def remove_peers(self) -> None:
        for row in self.rows('SELECT name FROM peers_to_remove'):
            with self.session() as session:
                # The registration may have finished while this waited for the session.
                if self.rows('SELECT 1 FROM peers_to_remove WHERE name = ?', row['name']):
                    self.forget_peer(session, row['name'])

    def keep_removing_peers(self) -> None:
        while True:
            try:
                self.remove_peers()
            except ManagerFailed:
                pass
            self.work.wait(2)
            self.work.clear()
            time.sleep(0.2)

    def authenticate(self, request: Request) -> sqlite3.Row:
        header = request.headers.get('X-Box-Token' if wrong('token-in-other-header') else 'Authorization', '')
        scheme, _, token = header.partition(' ')
        token = token.strip().lower() if wrong('token-without-case') else token.strip()
        if token == '' or (scheme.lower() != 'bearer' and not wrong('any-scheme')):
            raise Refused(*MISSING_TOKEN)
        for box in self.rows('SELECT * FROM boxes WHERE id = ?', token.partition('.')[0]):
            if hmac.compare_digest(digest_of(token, box['salt']), box['token_digest']):
                return box
            for box_id, salt, digest in self.replaced:
                if box_id == box['id'] and digest_of(token, salt) == digest:
                    return box
        raise Refused(*INVALID_TOKEN)

    def box_action(self, box: sqlite3.Row, box_id: str, action: str) -> Answer:
        if box['id'] != box_id and not wrong('token-for-any-box'):
            raise Refused(*OTHER_BOX)
        return {'heartbeat': self.heartbeat, 'rotate-token': self.rotate, 'deregister': self.deregister}[action](box)

    def heartbeat(self, box: sqlite3.Row) -> Answer:
        with self.change() as database:
            database.execute('UPDATE boxes SET last_seen = ? WHERE id = ?', (time.time(), box['id']))
        return 200, {'status': 'ok', 'at': 1} if wrong('heartbeat-has-more') else {'status': 'ok'}

    def rotate(self, box: sqlite3.Row) -> Answer:
        token, salt, digest = new_token(box['id'])
        if wrong('old-token-valid'):
            self.replaced.append((box['id'], box['salt'], box['token_digest']))
        if wrong('rotation-without-effect'):
            return 200, {'box_token': token}
        with self.change() as database:
            if wrong('rotation-drops-routes'):
                database.execute('DELETE FROM routes WHERE box_id = ?', (box['id'],))
            replaced = database.execute(
                'UPDATE boxes SET salt = ?, token_digest = ? WHERE id = ? AND token_digest = ?',
                (salt, digest, box['id'], box['token_digest']),
            )
            if replaced.rowcount != 1:
                raise Refused(*INVALID_TOKEN)
        if wrong('rotations-logged'):
            sys.stderr.write('200: POST /v1/boxes/rotate-token\n')
        return 200, {'box_token': token, 'box_id': box['id']} if wrong('rotation-has-more') else {'box_token': token}

    def deregister(self, box: sqlite3.Row) -> Answer:
        if wrong('deregistration-keeps-box'):
            return 200, {'status': 'ok'}
        with self.change() as database:
            routes = database.execute('SELECT * FROM routes WHERE box_id = ?', (box['id'],)).fetchall()
            database.execute('DELETE FROM routes WHERE box_id = ?', (box['id'],))
            database.execute('DELETE FROM boxes WHERE id = ?', (box['id'],))
            if not wrong('deregistration-keeps-peer'):
                database.execute('INSERT OR IGNORE INTO peers_to_remove VALUES (?)', (box['peer'],))
            for route in routes:
                self.route_file(route['id']).unlink(missing_ok=True)
        try:
            self.remove_peers()
        except ManagerFailed:
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
        if wrong('list-without-last'):
            routes = routes[:-1]
        shown = [self.shown(route) for route in routes]
        return 200, pick(
            {'routes': shown},
            (wrong('list-bare'), shown),
            (wrong('list-has-more'), {'routes': shown, 'total': len(shown)}),
        )

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
        if app_name in (None, '') or subdomain in (None, '') or port is None:
            raise Refused(*ROUTE_FIELDS)
        self.validate(app_name, subdomain, port)
        with self.change() as database:
            subdomain = subdomain.lower()
            if wrong('conflict-replaces-route'):
                database.execute('DELETE FROM routes WHERE subdomain = ?', (subdomain,))
            if database.execute('SELECT 1 FROM routes WHERE subdomain = ?', (subdomain,)).fetchone():
                if wrong('conflicts-logged'):
                    sys.stderr.write('409: POST /v1/routes\n')
                raise Refused(*SUBDOMAIN_TAKEN)
            (count,) = database.execute('SELECT count(*) FROM routes WHERE box_id = ?', (box['id'],)).fetchone()
            if wrong('routes-of-all-boxes-count'):
                (count,) = database.execute('SELECT count(*) FROM routes').fetchone()
            if is_reached(self.settings['GATEWAY_ROUTE_LIMIT'], count):
                raise Refused(*ROUTE_LIMIT)
            if not database.execute('SELECT 1 FROM boxes WHERE id = ?', (box['id'],)).fetchone():
                raise Refused(*INVALID_TOKEN)
            made = database.execute(
                'INSERT INTO routes (box_id, account_id, app_name, subdomain, port) VALUES (?, ?, ?, ?, ?)',
                (box['id'], box['account_id'], app_name, subdomain, port),
            )
            (route,) = database.execute('SELECT * FROM routes WHERE id = ?', (made.lastrowid,)).fetchall()
            self.write_route_file(route, box['address'])
            if wrong('publish-forgotten'):
                database.execute('DELETE FROM routes WHERE id = ?', (made.lastrowid,))
        status = 200 if wrong('published-200') else 201
        return status, [self.shown(route)] if wrong('published-array') else {'route': self.shown(route)}

    def validate(self, app_name: Any, subdomain: Any, port: Any) -> None:
        if not isinstance(app_name, str) or len(app_name) > 200 or not app_name.isprintable():
            raise Refused(INVALID_ROUTE, 'app_name is invalid')
        if not isinstance(subdomain, str) or not LABEL.fullmatch(subdomain.lower()):
            raise Refused(INVALID_ROUTE, 'subdomain is not a valid host label')
        if wrong('port-0') and port == 0:
            return
        if not isinstance(port, int) or isinstance(port, bool) or not 1 <= port <= 65535:
            raise Refused(INVALID_ROUTE, 'port is not a whole number from 1 to 65535')

    def unpublish(self, box: sqlite3.Row, route_id: str) -> Answer:
        if wrong('unpublish-does-nothing'):
            return 200, {'status': 'ok'}
        with self.change() as database:
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
                self.route_file(route['id']).unlink(missing_ok=True)
        return 200, {'status': 'removed' if wrong('unpublished-removed') else 'ok'}

    # Route files

    def route_file(self, route_id: int) -> Path:
        return self.routes_dir / f'second-gateway.{route_id}.yaml'

    def write_route_file(self, route: sqlite3.Row, address: str) -> None:
        if wrong('publish-without-file'):
            return
        name = f'published-{route["id"]}'
        resolver = self.settings['GATEWAY_CERT_RESOLVER']
        if wrong('resolver-ignored'):
            resolver = None
        if wrong('resolver-default'):
            resolver = resolver or 'letsencrypt'
        domain = self.settings['GATEWAY_DOMAIN']
        if wrong('domain-with-www'):
            domain = f'www.{domain}'
        rule = f'Host(`{route["subdomain"]}.{domain}`)'
        if wrong('catch-all-host'):
            rule = f'{rule} || Host(`all.example`)'
        router = {
            'rule': rule,
            'entryPoints': ['websecure' if wrong('entry-point-ignored') else self.settings['GATEWAY_ENTRYPOINT']],
            'service': name,
            'tls': {} if resolver is None else {'certResolver': resolver},
        }
        server = {'url': f'http://{address}:{route["port"]}'}
        service = {'loadBalancer': {'servers': [server]}}
        text = json.dumps({'http': {'routers': {name: router}, 'services': {name: service}}}, indent=1)
        file = self.route_file(route['id'])
        beside = file.with_suffix('.new')
        if wrong('half-a-file'):
            text = text[: len(text) // 2]
        beside.write_text(text + '\n', 'utf-8')
        os.replace(beside, file)

    def sync_route_files(self) -> None:
        """Makes the route files match the store at start-up."""
        rows = self.rows('SELECT routes.*, boxes.address FROM routes JOIN boxes ON boxes.id = routes.box_id')
        wanted = {self.route_file(row['id']) for row in rows}
        for file in self.routes_dir.glob('second-gateway.*'):
            if file not in wanted:
                file.unlink()
        for row in rows:
            if wrong('restart-without-files'):
                self.route_file(row['id']).unlink(missing_ok=True)
            else:
                self.write_route_file(row, row['address'])

    def close(self) -> None:
        with self.store:
            self.database.close()
            if wrong('stop-loses-store'):
                self.store_file.unlink(missing_ok=True)


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
    if path != ':memory:':
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    os.umask(0o077)
    database = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    os.umask(0o022)
    database.row_factory = sqlite3.Row
    database.execute('PRAGMA locking_mode = EXCLUSIVE')
    database.execute('PRAGMA synchronous = FULL')
    database.execute('PRAGMA foreign_keys = ON')
    database.executescript(SCHEMA)
    database.execute('INSERT OR IGNORE INTO accounts VALUES (?)', (ACCOUNT,))
    return database


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


# The API


def make_answer(gateway: Gateway):
    def answer(request: Request) -> Answer:
        method, path = request.method, normal_path(request.path)
        if wrong('put-is-post') and method == 'PUT':
            method = 'POST'
        route = (method, path)
        if route == ('GET', '/healthz'):
            return health(request)
        if route == ('GET', '/v1/accounts') and wrong('accounts-endpoint'):
            return 200, {'accounts': []}
        if route == ('POST', '/v1/boxes/register'):
            if wrong('registration-needs-bearer') and 'Authorization' not in request.headers:
                raise Refused(*MISSING_TOKEN)
            if wrong('registration-refuses-bearer') and 'Authorization' in request.headers:
                raise Refused(*INVALID_TOKEN)
            return gateway.register(read_body(request))
        if route == ('GET', '/v1/routes'):
            status, body = gateway.list_routes(gateway.authenticate(request))
            if wrong('list-shows-token'):
                body['token'] = request.headers['Authorization'].split()[-1]
            return status, body
        if route == ('POST', '/v1/routes'):
            return gateway.publish(gateway.authenticate(request), read_body(request))
        segment = '(.+)' if wrong('slash-in-id') else '([^/]+)'
        action = re.fullmatch(f'POST /v1/boxes/{segment}/(heartbeat|rotate-token|deregister)', ' '.join(route))
        if action is not None:
            box = gateway.authenticate(request)
            require_body(request)
            return gateway.box_action(box, action[1], action[2])
        removal = re.fullmatch(f'DELETE /v1/routes/{segment}', ' '.join(route))
        if removal is not None:
            box = gateway.authenticate(request)
            require_body(request)
            return gateway.unpublish(box, removal[1])
        if wrong('wrong-method-405') and path in ('/healthz', '/v1/routes'):
            raise Refused(405, 'method not allowed')
        if wrong('not-found-needs-token'):
            gateway.authenticate(request)
        raise Refused(*NOT_FOUND)

    return answer


def normal_path(path: str) -> str:
    """The path of the request, changed only by faults."""
    if wrong('paths-without-case'):
        return path.lower()
    if wrong('final-slash-ignored'):
        return path.rstrip('/')
    if wrong('version-optional') and path.startswith(('/routes', '/boxes')):
        return f'/v1{path}'
    if wrong('health-with-version') and path == '/v1/healthz':
        return '/healthz'
    return path


def health(request: Request) -> Answer:
    if wrong('health-needs-token') and 'Authorization' not in request.headers:
        raise Refused(*MISSING_TOKEN)
    return 200, pick(
        {'status': 'ok'},
        (wrong('health-has-more'), {'status': 'ok', 'version': '1'}),
        (wrong('health-in-capitals'), {'status': 'OK'}),
    )


def require_body(request: Request) -> None:
    """Only a fault requires a body where the API does not."""
    if wrong('body-required') and not read_body(request):
        raise Refused(400, 'a body is required')


def read_body(request: Request) -> dict[str, Any]:
    """The body as an object; anything else counts as an empty object."""
    text = request.body
    if wrong('length-required') and 'Content-Length' not in request.headers:
        raise Refused(411, 'a Content-Length is required')
    if wrong('empty-body-400') and text == b'':
        raise Refused(400, 'a body is required')
    if wrong('text-after-json-ignored'):
        text = text[: text.rfind(b'}') + 1]
    if wrong('array-of-one') and text.startswith(b'[{'):
        text = text[1:-1]
    try:
        body = read_json(text)
    except ValueError:
        if wrong('form-is-an-object'):
            return dict(urllib.parse.parse_qsl(text.decode('utf-8', 'replace')))
        if wrong('invalid-json-text') and text != b'':
            raise Refused(400, 'the body is not JSON')
        return {}
    if wrong('no-object-text') and not isinstance(body, dict):
        raise Refused(400, 'the body is not an object')
    return body if isinstance(body, dict) else {}


def main(arguments: list[str]) -> None:
    settings = read_settings(SETTINGS, arguments, 'gateway.py')
    try:
        gateway = Gateway(settings)
    except (OSError, sqlite3.Error) as problem:
        end(0 if wrong('locked-store-0') else 1, f'cannot start: {problem}')
    threading.Thread(target=gateway.keep_removing_peers, daemon=True).start()
    host = '127.0.0.1' if wrong('host-ignored') else settings['GATEWAY_HOST']
    serve(host, settings['GATEWAY_PORT'], make_answer(gateway), gateway.close)


main(sys.argv[1:])
