"""Settings and an HTTP server for JSON, shared by box.py and gateway.py. Needs Python 3.11 and nothing else."""

import argparse
import contextlib
import http.server
import json
import os
import re
import signal
import socket
import socketserver
import sys
import threading
from pathlib import Path
from typing import Any, Callable, NamedTuple

from faults import FAULT, pick, wrong

LARGEST_BODY = 16 * 1024 * 1024
ONE_CLIENT = threading.Lock()

USAGE_ERROR = pick(2, (wrong('bad-value-1'), 1))
FAILURE = pick(1, (wrong('port-taken-0'), 0), (wrong('port-taken-2'), 2))


def end(status: int, text: str) -> None:
    """Ends the process with one line on standard error."""
    line = pick(
        ' '.join(text.split()) + '\n',
        (wrong('bad-value-stack'), f'{text}\nat value_of\n'),
        (wrong('port-taken-silent'), ''),
    )
    stream = sys.stdout if wrong('bad-value-on-stdout') else sys.stderr
    stream.write(line)
    stream.flush()
    os._exit(status)


# Settings


class Setting(NamedTuple):
    variable: str
    flag: str | None = None
    default: Any = None
    read: Callable[[str], Any] = str
    required: bool = False
    secret: bool = False
    many: bool = False


def whole_number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r'[0-9]{1,9}', text) or not low <= int(text) <= high:
            if wrong('bad-value-default'):
                return low
            raise ValueError(f'expected a whole number from {low} to {high}')
        return int(text)

    return read


class Flags(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        end(USAGE_ERROR, message)


def read_settings(rows: list[Setting], arguments: list[str], program: str) -> dict[str, Any]:
    """The values by variable. A flag takes precedence over its variable."""
    flags = Flags(prog=program, allow_abbrev=False)
    for row in rows:
        if row.flag is not None:
            flags.add_argument(row.flag, dest=row.variable, action='append', help=row.variable)
    given = vars(flags.parse_known_args(arguments)[0] if wrong('unknown-flag-ignored') else flags.parse_args(arguments))
    return {row.variable: value_of(row, given.get(row.variable)) for row in rows}


def is_overridden(variable: str) -> bool:
    """Whether a faulty program prefers the variable to its flag."""
    return variable in os.environ and not (wrong('one-flag-wins') and variable in ('GATEWAY_BOX_LIMIT', 'BOX_BUNDLED_APPS'))


def value_of(row: Setting, flagged: list[str] | None) -> Any:
    name = row.variable
    try:
        if flagged is not None and not ((wrong('variable-wins') or wrong('one-flag-wins')) and is_overridden(row.variable)):
            name = row.flag or ''
            return [row.read(text) for text in flagged] if row.many else row.read(flagged[-1])
        text = os.environ.get(row.variable, '')
        file_variable = f'{row.variable}_FILE'
        if row.secret and text == '' and os.environ.get(file_variable, '') and not wrong('secret-files-ignored'):
            name = file_variable
            text = Path(os.environ[name]).read_text('utf-8')
            if not wrong('secret-file-whole'):
                text = text.rstrip('\r\n')
        if text != '':
            return [row.read(part.strip()) for part in text.split(',')] if row.many else row.read(text)
    except (ValueError, OSError) as problem:
        end(USAGE_ERROR, str(problem) if wrong('bad-value-nameless') else f'{name}: {problem}')
    if row.required:
        end(USAGE_ERROR, f'{row.variable}{"" if row.flag is None else f" ({row.flag})"} is required')
    return row.default


def default_state_dir() -> str:
    if os.geteuid() == 0:
        return '/var/lib/boxgate'
    base = os.environ.get('XDG_STATE_HOME') or os.path.expanduser('~/.local/state')
    return os.path.join(base, 'boxgate')


# HTTP


class Request(NamedTuple):
    method: str
    target: str
    headers: Any
    body: bytes
    connection: Any

    @property
    def path(self) -> str:
        return self.target if wrong('query-counts') else self.target.split('?', 1)[0]


class Refused(Exception):
    """The request is answered with an error."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status
        self.text = text


class Page(str):
    """An answer in HTML instead of JSON."""


Answer = tuple[int, Any]


def error_body(text: str) -> Any:
    return pick(
        {'error': text},
        (wrong('error-with-code'), {'error': text, 'code': 1}),
        (wrong('error-as-object'), {'error': {'message': text}}),
    )


def encoded(body: Any) -> tuple[str, str]:
    """The media type and the text of a body."""
    if isinstance(body, Page):
        return ('text/html' if wrong('page-without-charset') else 'text/html; charset=utf-8'), body
    if wrong('errors-as-text') and 'error' in body:
        return 'text/plain', body['error']
    media_type = 'application/json; charset=utf-8' if wrong('json-with-charset') else 'application/json'
    return media_type, json.dumps(body, ensure_ascii=not wrong('length-in-characters'))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    timeout = 60
    wbufsize = -1
    disable_nagle_algorithm = True
    answer: Callable[[Request], Answer]
    answered = False

    def __getattr__(self, name: str) -> Any:
        # Accepts every HTTP method, because the application decides which methods exist.
        if name.startswith('do_'):
            return self.exchange
        raise AttributeError(name)

    def exchange(self) -> None:
        if wrong('one-request-a-connection') and self.answered:
            return
        with self.server.in_flight:
            try:
                self.refuse_malformed()
                # The base class shortens leading slashes of `self.path`, the request line keeps them.
                target = self.requestline.split()[1]
                request = Request(self.command, target, self.headers, self.read_body(), self.connection)
                status, body = type(self).answer(request)
            except Refused as refusal:
                status, body = refusal.status, error_body(refusal.text)
            except ConnectionError:
                raise
            except Exception as fault:
                sys.stderr.write(f'fault: {type(fault).__name__}: {fault}\n')
                status, body = 500, error_body('something went wrong here')
            self.reply(status, body)

    def refuse_malformed(self) -> None:
        """Refuses what the base class lets pass."""
        words = self.requestline.split()
        if len(words) != 3 or self.headers.defects or len(self.headers.get_all('Host', [])) > 1:
            self.close_connection = True
            raise Refused(400, 'this is no request of HTTP/1.1')

    def read_body(self) -> bytes:
        lengths = {text.strip() for text in self.headers.get_all('Content-Length', [])}
        if self.headers.get('Transfer-Encoding') is not None:
            self.close_connection = True
            raise Refused(411, 'a body needs a Content-Length')
        if not lengths:
            return b''
        if wrong('needless-body-unread') and (self.command == 'DELETE' or self.path.endswith('/heartbeat')):
            return b''
        length = lengths.pop()
        if wrong('first-length-counts'):
            length, lengths = self.headers['Content-Length'].strip(), set()
        if lengths or not re.fullmatch(r'[0-9]{1,18}', length):
            self.close_connection = True
            raise Refused(400, 'the Content-Length is not a number')
        if int(length) > LARGEST_BODY and not wrong('endless-body-read'):
            self.close_connection = True
            raise Refused(413, 'the body is too large')
        if wrong('endless-body-read'):
            return self.read_all(int(length))
        if wrong('first-part-of-body'):
            return self.rfile.read1(int(length))
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            raise Refused(400, 'the body ended early')
        return body

    def read_all(self, length: int) -> bytes:
        body = bytearray()
        while len(body) < length and (part := self.rfile.read1(min(length - len(body), 65536))):
            body += part
        return bytes(body)

    def reply(self, status: int, body: Any) -> None:
        media_type, text = encoded(body)
        content = text.encode()
        self.send_response(status)
        self.send_header('Content-Type', media_type)
        if wrong('cors-for-everybody'):
            self.send_header('Access-Control-Allow-Origin', '*')
        if wrong('length-absent'):
            self.close_connection = True
        else:
            self.send_header('Content-Length', str(len(text if wrong('length-in-characters') else content)))
        if self.close_connection or self.server.stopping:
            self.close_connection = True
            self.send_header('Connection', 'close')
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(content)
        self.wfile.flush()
        self.answered = True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Called by the base class for malformed HTTP."""
        self.close_connection = True
        if wrong('malformed-as-page'):
            return super().send_error(code, message, explain)
        if not hasattr(self, 'command'):
            self.command = None
        # Without a version the base class sends no headers.
        self.request_version = self.protocol_version
        self.reply(code, {'error': message or 'malformed request'})

    def log_request(self, status: Any = None, _: Any = None) -> None:
        """No access log."""
        if wrong('log-on-stderr') or (wrong('log-of-refusals') and status >= 400):
            sys.stderr.write(f'{self.requestline}\n')
        if wrong('log-on-stdout'):
            print(self.requestline, flush=True)

    def log_message(self, *_: Any) -> None:
        """Silences the base class, which would log malformed requests."""

    def handle(self) -> None:
        try:
            if FAULT:
                with pick(
                    contextlib.nullcontext(),
                    (wrong('waits-for-idle-connections'), self.server.in_flight),
                    (wrong('one-client-at-a-time'), ONE_CLIENT),
                ):
                    super().handle()
            else:
                super().handle()
        except (ConnectionError, TimeoutError):
            pass


class InFlight:
    """Counts unanswered requests, so that a stop can wait for them."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.count = 0

    def __enter__(self) -> None:
        with self.changed:
            self.count += 1

    def __exit__(self, *_: Any) -> None:
        with self.changed:
            self.count -= 1
            self.changed.notify_all()

    def wait(self, seconds: float) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.count == 0, seconds)


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    stopping = False

    def __init__(self, address: tuple[str, int], handler: type[Handler]):
        self.in_flight = InFlight()
        self.address_family = socket.AF_INET6 if ':' in address[0] else socket.AF_INET
        super().__init__(address, handler)

    def server_bind(self) -> None:
        # The method of HTTPServer looks up the host's name, which may take long.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def handle_error(self, *_: Any) -> None:
        sys.stderr.write(f'fault: {sys.exc_info()[1]!r}\n')


def serve(host: str, port: int, answer: Callable[[Request], Answer], finish: Callable[[], None]) -> None:
    """Serves until SIGTERM or SIGINT. Then answers the requests in flight and exits with status 0."""
    # A signal wakes this thread through the pipe, whichever thread receives it.
    asked, ask = os.pipe()
    os.set_blocking(ask, False)
    signal.set_wakeup_fd(ask)
    signal.signal(signal.SIGTERM, lambda *_: None)
    signal.signal(
        signal.SIGINT,
        pick(lambda *_: None, (wrong('sigint-unknown'), signal.SIG_DFL), (wrong('sigint-ignored'), signal.SIG_IGN)),
    )
    handler = type('BoundHandler', (Handler,), {'answer': staticmethod(answer)})
    try:
        server = Server((host, port), handler)
    except OSError as problem:
        if wrong('port-taken-other'):
            server = Server((host, 0), handler)
        else:
            end(FAILURE, f'cannot listen on {host} port {port}: {problem.strerror or problem}')
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    shown = f'[{host}]' if ':' in host else host
    port = port if wrong('says-asked-port') else server.server_port
    print('ready on' if wrong('ready-text') else 'listening on', f'http://{shown}:{port}', flush=True)
    if wrong('ready-twice'):
        print('press Ctrl-C to stop', flush=True)
    os.read(asked, 1)
    server.stopping = True
    if not wrong('sigterm-accepts'):
        server.shutdown()
        server.socket.close()
    if wrong('sigterm-at-once'):
        os._exit(0)
    server.in_flight.wait(75)
    finish()
    os._exit(143 if wrong('sigterm-status') else 0)


def read_json(body: bytes) -> Any:
    """Strict JSON: UTF-8, no NaN. ValueError for anything else."""

    def number(text: str) -> Any:
        return int(text) if len(text) < 400 else float(text)

    def refuse(text: str) -> Any:
        if wrong('nan-is-json'):
            return text
        raise ValueError(f'{text} is not JSON')

    try:
        text = body if wrong('json-in-any-encoding') else body.decode('utf-8')
        return json.loads(text, parse_int=number, parse_constant=refuse)
    except RecursionError as problem:
        if wrong('deep-body-ends-it'):
            os._exit(1)
        raise ValueError('too deep') from problem
