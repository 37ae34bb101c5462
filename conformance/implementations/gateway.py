"""A second gateway control plane, for the conformance suite and nobody else.

It was written from the requirement document and the operating contract alone, and differs from boxgate's gateway
wherever they leave it open: results are nested and named otherwise, ids are plain UUIDs and numbers, tokens are
stored salted, subdomains are folded to lower case, there is one route file a route (JSON, which is YAML too), one
registration at a time, and the tunnel manager is logged in to afresh for each piece of work. What passes here and
in boxgate's gateway is asked of both by the documents. It is no product.

    python3 gateway.py [--port N ...]
"""

import sys

sys.dont_write_bytecode = True

import hashlib
import hmac
import http.client
import json
import os
import re
import secrets
import sqlite3
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
    read_json,
    read_settings,
    serve,
    whole_number,
    wrong,
)

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
    Setting('GATEWAY_HOST', '--host', '127.0.0.1'),
    Setting('GATEWAY_PORT', '--port', 8080, whole_number(0, 65535)),
    Setting('GATEWAY_MODE', '--mode', 'single'),
    Setting('GATEWAY_BOX_TOKEN', None, '', secret=True),
    Setting('GATEWAY_STORE', '--store', None, store_address, secret=True),
    Setting('GATEWAY_STATE_DIR', '--state-dir', default_state_dir()),
    Setting('GATEWAY_TUNNEL_URL', '--tunnel-url', None, manager_address, required=True),
    Setting('GATEWAY_TUNNEL_USERNAME', '--tunnel-username', 'admin'),
    Setting('GATEWAY_TUNNEL_PASSWORD', None, None, required=True, secret=True),
    Setting('GATEWAY_ROUTES_DIR', '--routes-dir'),
    Setting('GATEWAY_DOMAIN', '--domain', None, domain_name, required=True),
    Setting('GATEWAY_CERT_RESOLVER', '--cert-resolver', None, plain_name),
    Setting('GATEWAY_ENTRYPOINT', '--entrypoint', 'websecure', plain_name),
    Setting('GATEWAY_BOX_LIMIT', '--box-limit', 10, whole_number(0, 10**6)),
    Setting('GATEWAY_ROUTE_LIMIT', '--route-limit', 20, whole_number(0, 10**6)),
]


# The tunnel manager


class ManagerFailed(Exception):
    """What went wrong at the tunnel manager, without any secret."""


class Session:
    """One login at wg-easy. The dialect is found by what answers."""

    def __init__(self, url: str, username: str, password: str):
        self.url = urllib.parse.urlsplit(url)
        self.cookie: str | None = None
        self.clients = '/api/client'
        status, about = self.ask('GET', '/api/session')
        if status == 200 and isinstance(about, dict) and 'requiresPassword' in about:
            self.clients = '/api/wireguard/client'
            if about['requiresPassword']:
                self.log_in('/api/session', {'password': password})
            return
        given = {'username': username, 'password': password, 'remember': False}
        if self.log_in('/api/auth/password', given) == 404:
            self.log_in('/api/session', given)

    def log_in(self, path: str, given: dict[str, Any]) -> int:
        self.cookie = None
        status, body = self.ask('POST', path, given)
        good = isinstance(body, dict) and (body.get('status') == 'success' or body.get('success') is True)
        if status == 404 and path == '/api/auth/password':
            return status
        if status == 401:
            raise ManagerFailed('it does not take the password')
        if status != 200 or not good or self.cookie is None:
            said = body.get('status', '') if isinstance(body, dict) else ''
            raise ManagerFailed(f'the login was answered with {status} {said}')
        return status

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and body: JSON where it is JSON, else text."""
        kind = http.client.HTTPSConnection if self.url.scheme == 'https' else http.client.HTTPConnection
        connection = kind(self.url.hostname, self.url.port, timeout=8)
        headers = {} if self.cookie is None else {'Cookie': self.cookie}
        if body is not None:
            headers['Content-Type'] = 'application/json'
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, self.url.path.rstrip('/') + path, sent, headers)
            answer = connection.getresponse()
            text = answer.read().decode('utf-8', 'replace')
        except (OSError, http.client.HTTPException) as problem:
            raise ManagerFailed(f'no answer: {type(problem).__name__}') from problem
        finally:
            connection.close()
        cookie = answer.getheader('Set-Cookie')
        if self.cookie is None and cookie is not None and answer.status == 200 and method == 'POST':
            self.cookie = cookie.split(';', 1)[0]
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, text

    def expect(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = self.ask(method, path, body)
        if status != 200:
            raise ManagerFailed(f'{method} was answered with {status}')
        return answer

    def named(self, name: str) -> list[dict[str, Any]]:
        clients = self.expect('GET', self.clients)
        if not isinstance(clients, list):
            raise ManagerFailed('its list of clients is none')
        return [one for one in clients if isinstance(one, dict) and one.get('name') == name]

    def create(self, name: str) -> tuple[str, str]:
        """Address and configuration of a new peer."""
        self.expect('POST', self.clients, {'name': name, 'expiresAt': None})
        found = self.named(name)
        if len(found) != 1:
            raise ManagerFailed('the new peer is not in its list')
        address = found[0].get('ipv4Address') or found[0].get('address')
        configuration = self.expect('GET', f'{self.clients}/{found[0]["id"]}/configuration')
        if not isinstance(address, str) or '[Interface]' not in str(configuration):
            raise ManagerFailed('the new peer has no configuration')
        return address, str(configuration).strip() + '\n'

    def remove(self, name: str) -> None:
        for client in self.named(name):
            self.expect('DELETE', f'{self.clients}/{client["id"]}')


# The gateway


class Gateway:
    def __init__(self, settings: dict[str, Any]):
        self.settings = settings
        state_dir = Path(settings['GATEWAY_STATE_DIR'])
        state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.routes_dir = Path(settings['GATEWAY_ROUTES_DIR'] or state_dir / 'routes')
        self.routes_dir.mkdir(parents=True, exist_ok=True)
        self.database = open_store(settings['GATEWAY_STORE'] or f'file:{state_dir / "gateway.sqlite3"}')
        self.store = threading.RLock()
        self.manager = threading.Lock()
        self.work = threading.Event()
        self.sync_route_files()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """One transaction, alone; what is raised inside undoes it."""
        with self.store, self.database:
            self.database.execute('BEGIN IMMEDIATE')
            yield self.database

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        with self.store:
            return self.database.execute(query, values).fetchall()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """The tunnel manager, for one piece of work at a time."""
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
        if not (isinstance(token, str) and token and isinstance(name, str) and name):
            raise Refused(400, 'registration_token and box_name are required')
        if self.settings['GATEWAY_MODE'] != 'single':
            raise Refused(501, 'this mode is not implemented')
        if not same_secret(token, self.settings['GATEWAY_BOX_TOKEN']):
            raise Refused(401, 'invalid registration token')
        if len(name) > 500 or not name.isprintable():
            raise Refused(400, 'box_name is too long or holds what cannot be printed')
        try:
            with self.session() as session:
                return 201, self.register_with(session, name)
        except ManagerFailed as problem:
            self.work.set()
            raise Refused(502, f'wg-easy: {problem}') from problem

    def register_with(self, session: Session, name: str) -> dict[str, Any]:
        """Registrations come here one at a time, so the limit cannot be passed in between."""
        box_id = str(uuid.uuid4())
        peer = PEER_PREFIX + box_id
        with self.change() as database:
            (count,) = database.execute('SELECT count(*) FROM boxes').fetchone()
            if count >= self.settings['GATEWAY_BOX_LIMIT']:
                raise Refused(403, 'box limit exceeded for this account')
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
            database.execute('INSERT INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?, NULL)', box)
        return {
            'peer': {'wireguard': configuration, 'ip': address},
            'box': {'name': name, 'account_id': ACCOUNT, 'id': box_id},
            'box_token': token,
        }

    def forget_peer(self, session: Session, peer: str) -> None:
        """Removes the peer, now if that can be; else it stays among those to remove."""
        try:
            session.remove(peer)
        except ManagerFailed:
            return
        with self.change() as database:
            database.execute('DELETE FROM peers_to_remove WHERE name = ?', (peer,))

    def remove_peers(self) -> None:
        for row in self.rows('SELECT name FROM peers_to_remove'):
            with self.session() as session:
                # A registration may have finished while this one waited for its turn.
                if self.rows('SELECT 1 FROM peers_to_remove WHERE name = ?', row['name']):
                    self.forget_peer(session, row['name'])

    def clean_up_for_ever(self) -> None:
        while True:
            try:
                self.remove_peers()
            except ManagerFailed:
                pass
            self.work.wait(2)
            self.work.clear()
            time.sleep(0.2)

    def authenticate(self, request: Request) -> sqlite3.Row:
        scheme, _, token = request.headers.get('Authorization', '').partition(' ')
        token = token.strip()
        if scheme.lower() != 'bearer' or token == '':
            raise Refused(401, 'missing bearer token')
        for box in self.rows('SELECT * FROM boxes WHERE id = ?', token.partition('.')[0]):
            if hmac.compare_digest(digest_of(token, box['salt']), box['token_digest']):
                return box
        raise Refused(401, 'invalid or expired box token')

    def box_action(self, box: sqlite3.Row, box_id: str, action: str) -> Answer:
        if box['id'] != box_id:
            raise Refused(403, 'token does not authorize this box')
        return {'heartbeat': self.heartbeat, 'rotate-token': self.rotate, 'deregister': self.deregister}[action](box)

    def heartbeat(self, box: sqlite3.Row) -> Answer:
        with self.change() as database:
            database.execute('UPDATE boxes SET last_seen = ? WHERE id = ?', (time.time(), box['id']))
        return 200, {'status': 'ok'}

    def rotate(self, box: sqlite3.Row) -> Answer:
        token, salt, digest = new_token(box['id'])
        with self.change() as database:
            replaced = database.execute(
                'UPDATE boxes SET salt = ?, token_digest = ? WHERE id = ? AND token_digest = ?',
                (salt, digest, box['id'], box['token_digest']),
            )
            if replaced.rowcount != 1:
                raise Refused(401, 'invalid or expired box token')
        return 200, {'box_token': token}

    def deregister(self, box: sqlite3.Row) -> Answer:
        with self.change() as database:
            routes = database.execute('SELECT * FROM routes WHERE box_id = ?', (box['id'],)).fetchall()
            database.execute('DELETE FROM routes WHERE box_id = ?', (box['id'],))
            database.execute('DELETE FROM boxes WHERE id = ?', (box['id'],))
            database.execute('INSERT OR IGNORE INTO peers_to_remove VALUES (?)', (box['peer'],))
            for route in routes:
                self.route_file(route['id']).unlink(missing_ok=True)
        try:
            self.remove_peers()
        except ManagerFailed:
            self.work.set()
        return 200, {'status': 'ok'}

    # Routes

    def shown(self, route: sqlite3.Row) -> dict[str, Any]:
        return {
            'public_name': f'{route["subdomain"]}.{self.settings["GATEWAY_DOMAIN"]}',
            'target_port': route['port'],
            'subdomain': route['subdomain'],
            'app_name': route['app_name'],
            'account_id': route['account_id'],
            'box_id': route['box_id'],
            'id': str(route['id']),
        }

    def list_routes(self, box: sqlite3.Row) -> Answer:
        routes = self.rows('SELECT * FROM routes WHERE box_id = ? ORDER BY subdomain', box['id'])
        return 200, {'routes': [self.shown(route) for route in routes]}

    def publish(self, box: sqlite3.Row, body: dict[str, Any]) -> Answer:
        app_name, subdomain, port = (body.get(field) for field in ('app_name', 'subdomain', 'port'))
        if app_name in (None, '') or subdomain in (None, '') or port is None:
            raise Refused(400, 'app_name, subdomain, and port are required')
        self.validate(app_name, subdomain, port)
        with self.change() as database:
            subdomain = subdomain.lower()
            if database.execute('SELECT 1 FROM routes WHERE subdomain = ?', (subdomain,)).fetchone():
                raise Refused(409, 'subdomain already in use')
            (count,) = database.execute('SELECT count(*) FROM routes WHERE box_id = ?', (box['id'],)).fetchone()
            if count >= self.settings['GATEWAY_ROUTE_LIMIT']:
                raise Refused(403, 'route limit exceeded for this box')
            if not database.execute('SELECT 1 FROM boxes WHERE id = ?', (box['id'],)).fetchone():
                raise Refused(401, 'invalid or expired box token')
            made = database.execute(
                'INSERT INTO routes (box_id, account_id, app_name, subdomain, port) VALUES (?, ?, ?, ?, ?)',
                (box['id'], box['account_id'], app_name, subdomain, port),
            )
            (route,) = database.execute('SELECT * FROM routes WHERE id = ?', (made.lastrowid,)).fetchall()
            self.write_route_file(route, box['address'])
        return 201, {'route': self.shown(route)}

    def validate(self, app_name: Any, subdomain: Any, port: Any) -> None:
        if not isinstance(app_name, str) or len(app_name) > 200 or not app_name.isprintable():
            raise Refused(400, 'app_name is no name')
        if not isinstance(subdomain, str) or not LABEL.fullmatch(subdomain.lower()):
            raise Refused(400, 'subdomain is no label of a host')
        if not isinstance(port, int) or isinstance(port, bool) or not 1 <= port <= 65535:
            raise Refused(400, 'port is no whole number from 1 to 65535')

    def unpublish(self, box: sqlite3.Row, route_id: str) -> Answer:
        with self.change() as database:
            found = database.execute(
                'DELETE FROM routes WHERE CAST(id AS TEXT) = ? AND box_id = ?', (route_id, box['id'])
            )
            if found.rowcount != 1:
                raise Refused(404, 'route not found')
            self.route_file(int(route_id)).unlink(missing_ok=True)
        return 200, {'status': 'ok'}

    # Route files

    def route_file(self, route_id: int) -> Path:
        return self.routes_dir / f'second-gateway.{route_id}.yaml'

    def write_route_file(self, route: sqlite3.Row, address: str) -> None:
        name = f'published-{route["id"]}'
        resolver = self.settings['GATEWAY_CERT_RESOLVER']
        router = {
            'rule': f'Host(`{route["subdomain"]}.{self.settings["GATEWAY_DOMAIN"]}`)',
            'entryPoints': [self.settings['GATEWAY_ENTRYPOINT']],
            'service': name,
            'tls': {} if resolver is None else {'certResolver': resolver},
        }
        server = {'url': f'http://{address}:{route["port"]}'}
        service = {'loadBalancer': {'servers': [server]}}
        text = json.dumps({'http': {'routers': {name: router}, 'services': {name: service}}}, indent=1)
        file = self.route_file(route['id'])
        beside = file.with_suffix('.new')
        beside.write_text(text + '\n', 'utf-8')
        os.replace(beside, file)

    def sync_route_files(self) -> None:
        """Before the first request the directory holds the files of the store's routes, and no older ones."""
        rows = self.rows('SELECT routes.*, boxes.address FROM routes JOIN boxes ON boxes.id = routes.box_id')
        wanted = {self.route_file(row['id']) for row in rows}
        for file in self.routes_dir.glob('second-gateway.*'):
            if file not in wanted:
                file.unlink()
        for row in rows:
            self.write_route_file(row, row['address'])

    def close(self) -> None:
        with self.store:
            self.database.close()


def open_store(address: str) -> sqlite3.Connection:
    """The database, held by this process alone as long as it is open."""
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
    def digest(text: str) -> bytes:
        return hashlib.sha256(text.encode('utf-8', 'surrogatepass')).digest()

    return configured != '' and hmac.compare_digest(digest(given), digest(configured))


def new_token(box_id: str) -> tuple[str, bytes, bytes]:
    token = f'{box_id}.{secrets.token_hex(24)}'
    salt = secrets.token_bytes(16)
    return token, salt, digest_of(token, salt)


def digest_of(token: str, salt: bytes) -> bytes:
    return hashlib.blake2b(token.encode('utf-8', 'surrogatepass'), salt=salt).digest()


# The API


def make_answer(gateway: Gateway):
    def answer(request: Request) -> Answer:
        route = (request.method, request.path)
        if route == ('GET', '/healthz'):
            return 200, {'status': 'ok', 'version': '1'} if wrong('health-has-more') else {'status': 'ok'}
        if route == ('POST', '/v1/boxes/register'):
            return gateway.register(read_body(request))
        if route == ('GET', '/v1/routes'):
            return gateway.list_routes(gateway.authenticate(request))
        if route == ('POST', '/v1/routes'):
            return gateway.publish(gateway.authenticate(request), read_body(request))
        action = re.fullmatch(r'POST /v1/boxes/([^/]+)/(heartbeat|rotate-token|deregister)', ' '.join(route))
        if action is not None:
            return gateway.box_action(gateway.authenticate(request), action[1], action[2])
        removal = re.fullmatch(r'DELETE /v1/routes/([^/]+)', ' '.join(route))
        if removal is not None:
            return gateway.unpublish(gateway.authenticate(request), removal[1])
        raise Refused(404, 'not found')

    return answer


def read_body(request: Request) -> dict[str, Any]:
    """What is odd counts as an empty object."""
    try:
        body = read_json(request.body)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def main(arguments: list[str]) -> None:
    settings = read_settings(SETTINGS, arguments, 'gateway.py')
    try:
        gateway = Gateway(settings)
    except (OSError, sqlite3.Error) as problem:
        end(1, f'cannot start: {problem}')
    threading.Thread(target=gateway.clean_up_for_ever, daemon=True).start()
    serve(settings['GATEWAY_HOST'], settings['GATEWAY_PORT'], make_answer(gateway), gateway.close)


main(sys.argv[1:])
