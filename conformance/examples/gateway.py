"""A second gateway: an example for implementers, and for tests of the conformance suite. It is not a product.

It was written from the requirement document and the operating contract alone. Wherever these leave something open, it
differs from boxgate's gateway:
    pass

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
import sqlite3
import threading
import time
import urllib.parse
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Iterator

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


# The gateway


class Gateway:
    def __init__(self, settings: dict[str, Any]):
        self.settings = settings
        state_dir = Path(settings['GATEWAY_STATE_DIR'])
        state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        default_routes_dir = state_dir / 'routes'
        routes_dir = Path(settings['GATEWAY_ROUTES_DIR'] or default_routes_dir)
        self.files = RouteFiles(
            routes_dir,
            settings['GATEWAY_DOMAIN'],
            settings['GATEWAY_ENTRYPOINT'],
            settings['GATEWAY_CERT_RESOLVER'],
        )
        store = settings['GATEWAY_STORE']
        self.store_file = state_dir / 'gateway.sqlite3'
        self.database = open_store(store or f'file:{self.store_file}')
        self.store = threading.RLock()
        self.registration = threading.Lock()
        self.manager = Manager(
            settings['GATEWAY_TUNNEL_URL'],
            settings['GATEWAY_TUNNEL_USERNAME'],
            settings['GATEWAY_TUNNEL_PASSWORD'],
        )
        self.work = threading.Event()
        self.files_failed = False
        self.update_route_files()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """One transaction at a time. An exception inside rolls it back."""
        with self.store, self.database:
            self.database.execute('BEGIN IMMEDIATE')
            yield self.database

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        with self.store:
            return self.database.execute(query, values).fetchall()

    # Work in the background

    def keep_tidying(self) -> None:
        """Tries again what failed before: route files, and peers to remove."""
        while True:
            self.work.wait(2)
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
            self.files_failed = True
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
        if not (isinstance(token, str) and token and isinstance(name, str) and name):
            raise Refused(*REGISTRATION_FIELDS)
        mode = self.settings['GATEWAY_MODE']
        if mode != 'single':
            raise Refused(501, 'this mode is not implemented')
        if not same_secret(token, self.settings['GATEWAY_BOX_TOKEN']):
            raise Refused(*REGISTRATION_TOKEN)
        if len(name) > 500 or not name.isprintable():
            raise Refused(400, 'box_name is too long or has characters that cannot be printed')
        try:
            with self.registration:
                result = self.register_alone(name)
        except ManagerFailed as problem:
            self.work.set()
            text = f'wg-easy: {problem}'
            raise Refused(502, text) from problem
        return 201, result

    def require_room(self) -> None:
        (count,) = self.rows('SELECT count(*) FROM boxes')[0]
        if is_reached(self.settings['GATEWAY_BOX_LIMIT'], count):
            raise Refused(*BOX_LIMIT)

    def register_alone(self, name: str) -> dict[str, Any]:
        """Only one registration runs at a time, so that they cannot exceed the limit."""
        box_id = str(uuid.uuid4())
        peer = PEER_PREFIX + box_id
        self.require_room()
        # The peer is removed later unless this registration succeeds, even if this process is killed.
        with self.change() as database:
            database.execute('INSERT INTO peers_to_remove VALUES (?)', (peer,))
        made = self.manager.create(peer)
        address, configuration = made
        token, salt, digest = new_token(box_id)
        with self.change() as database:
            database.execute('DELETE FROM peers_to_remove WHERE name = ?', (peer,))
            # The manager gives an address only once, so that the peer of this box has gone.
            database.execute("UPDATE boxes SET address = '' WHERE address = ?", (address,))
            box = (box_id, ACCOUNT, name, peer, address, salt, digest)
            database.execute('INSERT INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?, NULL)', box)
        self.update_route_files()
        return {
            'peer': {'wireguard': configuration, 'ip': address},
            'box': {'name': name, 'account_id': ACCOUNT, 'id': box_id},
            'box_token': token,
        }

    def authenticate(self, request: Request) -> sqlite3.Row:
        header = request.headers.get('Authorization', '')
        scheme, _, token = header.partition(' ')
        token = token.strip()
        if token == '' or scheme.lower() != 'bearer':
            raise Refused(*MISSING_TOKEN)
        for box in self.rows('SELECT * FROM boxes WHERE id = ?', token.partition('.')[0]):
            if hmac.compare_digest(digest_of(token, box['salt']), box['token_digest']):
                return box
        raise Refused(*INVALID_TOKEN)

    def box_action(self, box: sqlite3.Row, box_id: str, action: str) -> Answer:
        if box['id'] != box_id:
            raise Refused(*OTHER_BOX)
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
                raise Refused(*INVALID_TOKEN)
        return 200, {'box_token': token}

    def deregister(self, box: sqlite3.Row) -> Answer:
        with self.change() as database:
            routes = database.execute('SELECT * FROM routes WHERE box_id = ?', (box['id'],)).fetchall()
            database.execute('DELETE FROM routes WHERE box_id = ?', (box['id'],))
            gone = database.execute('DELETE FROM boxes WHERE id = ? RETURNING id', (box['id'],)).fetchall()
            if not gone:
                raise Refused(*INVALID_TOKEN)
            database.execute('INSERT OR IGNORE INTO peers_to_remove VALUES (?)', (box['peer'],))
        with suppress(OSError), self.repaired_later():
            for route in routes:
                self.files.remove(route['id'])
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
        shown = [self.shown(route) for route in routes]
        return 200, {'routes': shown}

    def publish(self, box: sqlite3.Row, body: dict[str, Any]) -> Answer:
        app_name, subdomain, port = (body.get(field) for field in ('app_name', 'subdomain', 'port'))
        if app_name in (None, '') or subdomain in (None, '') or port is None:
            raise Refused(*ROUTE_FIELDS)
        self.validate(app_name, subdomain, port)
        subdomain = subdomain.lower()
        with self.repaired_later(), self.change() as database:
            self.require_free(subdomain)
            self.require_room_for_route(box)
            live = database.execute('SELECT address FROM boxes WHERE id = ?', (box['id'],)).fetchone()
            if live is None:
                raise Refused(*INVALID_TOKEN)
            made = database.execute(
                'INSERT INTO routes (box_id, account_id, app_name, subdomain, port) VALUES (?, ?, ?, ?, ?)',
                (box['id'], box['account_id'], app_name, subdomain, port),
            )
            route = dict(database.execute('SELECT * FROM routes WHERE id = ?', (made.lastrowid,)).fetchone())
            address = live['address']
            if address != '':
                self.files.write({**route, 'address': address})
        shown = self.shown(route)
        return 201, {'route': shown}

    def require_free(self, subdomain: str) -> None:
        used = self.rows('SELECT 1 FROM routes WHERE subdomain = ?', subdomain)
        if used:
            raise Refused(*SUBDOMAIN_TAKEN)

    def require_room_for_route(self, box: sqlite3.Row) -> None:
        (count,) = self.rows('SELECT count(*) FROM routes WHERE box_id = ?', box['id'])[0]
        if is_reached(self.settings['GATEWAY_ROUTE_LIMIT'], count):
            raise Refused(*ROUTE_LIMIT)

    def validate(self, app_name: Any, subdomain: Any, port: Any) -> None:
        if not isinstance(app_name, str) or len(app_name) > 200 or not app_name.isprintable():
            raise Refused(INVALID_ROUTE, 'app_name is invalid')
        if not isinstance(subdomain, str) or not LABEL.fullmatch(subdomain.lower()):
            raise Refused(INVALID_ROUTE, 'subdomain is not a valid host label')
        if not isinstance(port, int) or isinstance(port, bool) or not 1 <= port <= 65535:
            raise Refused(INVALID_ROUTE, 'port is not a whole number from 1 to 65535')

    def unpublish(self, box: sqlite3.Row, route_id: str) -> Answer:
        with self.change() as database:
            route = database.execute('SELECT * FROM routes WHERE CAST(id AS TEXT) = ?', (route_id,)).fetchone()
            if route is None:
                raise Refused(*ROUTE_NOT_FOUND)
            if route['box_id'] != box['id']:
                raise Refused(*ROUTE_NOT_FOUND)
            database.execute('DELETE FROM routes WHERE id = ?', (route['id'],))
        with self.repaired_later():
            self.files.remove(route['id'])
        return 200, {'status': 'ok'}

    def close(self) -> None:
        # A store in memory ends here, and with it the list of peers to remove.
        self.tidy()
        with self.store:
            self.database.close()


def is_reached(limit: int, count: int) -> bool:
    return count >= limit


def open_store(address: str) -> sqlite3.Connection:
    """Opens the database and locks other processes out."""
    path = ':memory:' if address == 'memory:' else address.removeprefix('file:')
    if path != ':memory:':
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    os.umask(0o077)
    database = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    os.umask(0o022)
    database.row_factory = sqlite3.Row
    if path != ':memory:':
        lock_out_others(f'{path}.lock')
    database.execute('PRAGMA synchronous = FULL')
    database.execute('PRAGMA foreign_keys = ON')
    database.executescript(SCHEMA)
    database.execute('INSERT OR IGNORE INTO accounts VALUES (?)', (ACCOUNT,))
    return database


def lock_out_others(path: str) -> None:
    """The lock ends with this process."""
    fcntl.flock(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), fcntl.LOCK_EX | fcntl.LOCK_NB)


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


def main(arguments: list[str]) -> None:
    settings = read_settings(SETTINGS, arguments, 'gateway.py')
    try:
        gateway = Gateway(settings)
    except (OSError, sqlite3.Error, ManagerFailed) as problem:
        end(1, f'cannot start: {problem}')
    threading.Thread(target=gateway.keep_tidying, daemon=True).start()
    host = settings['GATEWAY_HOST']
    serve(host, settings['GATEWAY_PORT'], make_answer(gateway), gateway.close)


main(sys.argv[1:])
