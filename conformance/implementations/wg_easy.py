"""The tunnel manager of gateway.py: wg-easy, versions 14 and 15.4."""

import base64
import http.client
import json
import re
import threading
import urllib.parse
from contextlib import nullcontext
from typing import Any, Callable

from faults import wrong

OWN_KEY = base64.b64encode(bytes([9] * 32)).decode()


class ManagerFailed(Exception):
    """The tunnel manager failed. The message contains no secrets."""


class Unexpected(ManagerFailed):
    """It answered, but not what was asked for. Version 14 answers 500 to everything if the session has ended."""


class Manager:
    """The tunnel manager: it gets one request at a time, and its session is kept as long as it works."""

    def __init__(self, url: str, username: str, password: str):
        self.log_in = lambda: Session(url, username, password)
        self.session: Session | None = None
        self.turn = nullcontext() if wrong('manager-in-parallel') else threading.RLock()

    def use(self, work: Callable[['Session'], Any], undo: Callable[['Session'], Any] | None = None) -> Any:
        """Calls `work` with a session. If it fails with the kept one, it is undone and tried again with a new one."""
        with self.turn:
            kept = None if wrong('login-every-call') else self.session
            if kept is not None:
                try:
                    return work(kept)
                except Unexpected as problem:
                    if wrong('session-never-renewed'):
                        raise
                    if wrong('session-renewed-on-401') and not str(problem).endswith('401'):
                        raise
            self.session = None
            session = self.log_in()
            if wrong('session-never-renewed') or wrong('session-renewed-on-401'):
                self.session = session
            if kept is not None and undo is not None:
                undo(session)
            result = work(session)
            self.session = session
            return result

    def create(self, name: str) -> tuple[str, str]:
        """A failed call may have made the peer all the same."""
        undo = None if wrong('create-repeated-blindly') else lambda session: session.remove(name)
        return self.use(lambda session: session.create(name), undo)

    def remove(self, name: str) -> None:
        self.use(lambda session: session.remove(name))


class Session:
    """A login session. The version is found by trying the endpoints of each."""

    def __init__(self, url: str, username: str, password: str):
        self.url = urllib.parse.urlsplit(url)
        self.cookie: str | None = None
        self.clients = '/api/client'
        status, about = self.ask('GET', '/api/session')
        is_14 = status == 200 and isinstance(about, dict) and 'requiresPassword' in about
        if is_14 and wrong('version-14-unknown'):
            raise ManagerFailed('unknown version')
        if is_14:
            self.clients = '/api/wireguard/client'
            if about['requiresPassword']:
                self.log_in('/api/session', {'password': password})
            return
        if wrong('version-15-unknown'):
            raise ManagerFailed('unknown version')
        if wrong('username-ignored'):
            username = 'admin'
        given = {'username': username, 'password': password, 'remember': False}
        self.log_in('/api/auth/password', given)

    def log_in(self, path: str, given: dict[str, Any]) -> None:
        self.cookie = None
        status, body = self.ask('POST', path, given)
        good = isinstance(body, dict) and (body.get('status') == 'success' or body.get('success') is True)
        if status == 401:
            raise ManagerFailed('it rejected the password')
        if status != 200 or not good or self.cookie is None:
            said = body.get('status', '') if isinstance(body, dict) else ''
            raise ManagerFailed(f'the login was answered with {status} {said}')

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Returns status and body. A body that is not JSON is returned as text."""
        kind = http.client.HTTPSConnection if self.url.scheme == 'https' else http.client.HTTPConnection
        connection = kind(self.url.hostname, self.url.port, timeout=8)
        headers = {} if self.cookie is None else {'Cookie': self.cookie}
        if wrong('no-cookie') and self.cookie is not None:
            headers = {'Authorization': f'Bearer {self.cookie}'}
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
            raise Unexpected(f'{method} was answered with {status}')
        return answer

    def named(self, name: str) -> list[dict[str, Any]]:
        clients = self.expect('GET', self.clients)
        if not isinstance(clients, list):
            raise Unexpected('its list of clients is not an array')
        return [one for one in clients if isinstance(one, dict) and one.get('name') == name]

    def create(self, name: str) -> tuple[str, str]:
        """Makes a peer and returns its address and configuration."""
        if not (wrong('peer-shared') and self.named(name)):
            self.expect('POST', self.clients, {'name': name, 'expiresAt': None})
        found = self.named(name)[-1:] if wrong('create-repeated-blindly') else self.named(name)
        if len(found) != 1:
            raise Unexpected('the new peer is not in its list')
        address = found[0].get('ipv4Address') or found[0].get('address')
        configuration = self.expect('GET', f'{self.clients}/{found[0]["id"]}/configuration')
        if not isinstance(address, str) or '[Interface]' not in str(configuration):
            raise Unexpected('the new peer has no configuration')
        if wrong('own-key'):
            configuration = re.sub(r'PrivateKey = \S+', f'PrivateKey = {OWN_KEY}', configuration)
        return address, str(configuration).strip() + '\n'

    def remove(self, name: str) -> None:
        found = self.named(name)
        if wrong('peers-of-others-removed'):
            found = [one for one in self.expect('GET', self.clients) if one['name'] == name or '-' not in one['name']]
        for client in found:
            self.expect('DELETE', f'{self.clients}/{client["id"]}')
