"""What the two minimal implementations share: settings, and an HTTP server that speaks JSON.

Test-only, as they are: it serves the conformance suite and nobody else. Python 3.11, standard library alone.
"""

import argparse
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

LARGEST_BODY = 16 * 1024 * 1024


# Faults: see "Faults" in conformance/IMPLEMENTERS.md

FAULT = os.environ.pop('BOXGATE_FAULT', '')


def wrong(name: str) -> bool:
    """Whether this process was started with the fault of that name."""
    return name == FAULT


def end(status: int, text: str) -> None:
    """Ends the process with one line on standard error."""
    sys.stderr.write(' '.join(text.split()) + '\n')
    sys.stderr.flush()
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
            raise ValueError(f'expected a whole number from {low} to {high}')
        return int(text)

    return read


class Flags(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        end(2, message)


def read_settings(rows: list[Setting], arguments: list[str], program: str) -> dict[str, Any]:
    """The value of each row by its variable's name: the flag, else the variable, else the default."""
    flags = Flags(prog=program, allow_abbrev=False)
    for row in rows:
        if row.flag is not None:
            flags.add_argument(row.flag, dest=row.variable, action='append', help=row.variable)
    given = vars(flags.parse_args(arguments))
    return {row.variable: value_of(row, given.get(row.variable)) for row in rows}


def value_of(row: Setting, flagged: list[str] | None) -> Any:
    name = row.variable
    try:
        if flagged is not None:
            name = row.flag or ''
            return [row.read(text) for text in flagged] if row.many else row.read(flagged[-1])
        text = os.environ.get(row.variable, '')
        if row.secret and text == '' and os.environ.get(f'{row.variable}_FILE', '') != '':
            name = f'{row.variable}_FILE'
            text = Path(os.environ[name]).read_text('utf-8').rstrip('\r\n')
        if text != '':
            return [row.read(part.strip()) for part in text.split(',')] if row.many else row.read(text)
    except (ValueError, OSError) as problem:
        end(2, f'{name}: {problem}')
    if row.required:
        end(2, f'{row.variable}{"" if row.flag is None else f" ({row.flag})"} is required')
    return row.default


def default_state_dir() -> str:
    if os.geteuid() == 0:
        return '/var/lib/boxgate'
    base = os.environ.get('XDG_STATE_HOME') or os.path.expanduser('~/.local/state')
    return os.path.join(base, 'boxgate')


# HTTP


class Request(NamedTuple):
    method: str
    path: str
    headers: Any
    body: bytes


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status
        self.text = text


class Page(str):
    """An answer that is HTML and no JSON."""


Answer = tuple[int, Any]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    timeout = 60
    wbufsize = -1
    disable_nagle_algorithm = True
    answer: Callable[[Request], Answer]

    def __getattr__(self, name: str) -> Any:
        # Every method is answered; which of them exist is the application's business.
        if name.startswith('do_'):
            return self.exchange
        raise AttributeError(name)

    def exchange(self) -> None:
        with self.server.in_flight:
            try:
                # The request line as it came: the base class shortens leading slashes.
                target = self.requestline.split()[1]
                request = Request(self.command, target.split('?', 1)[0], self.headers, self.read_body())
                status, body = type(self).answer(request)
            except Refused as refusal:
                status, body = refusal.status, {'error': refusal.text}
            except ConnectionError:
                raise
            except Exception as fault:
                sys.stderr.write(f'fault: {type(fault).__name__}: {fault}\n')
                status, body = 500, {'error': 'something went wrong here'}
            self.reply(status, body)

    def read_body(self) -> bytes:
        lengths = {text.strip() for text in self.headers.get_all('Content-Length', [])}
        if self.headers.get('Transfer-Encoding') is not None:
            self.close_connection = True
            raise Refused(411, 'a body needs a Content-Length')
        if not lengths:
            return b''
        length = lengths.pop()
        if lengths or not re.fullmatch(r'[0-9]{1,18}', length):
            self.close_connection = True
            raise Refused(400, 'the Content-Length is no number')
        if int(length) > LARGEST_BODY:
            self.close_connection = True
            raise Refused(413, 'the body is too large')
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            self.close_connection = True
            raise Refused(400, 'the body ended early')
        return body

    def reply(self, status: int, body: Any) -> None:
        page = isinstance(body, Page)
        content = body.encode() if page else json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'text/html; charset=utf-8' if page else 'application/json')
        self.send_header('Content-Length', str(len(content)))
        if self.close_connection or self.server.stopping:
            self.close_connection = True
            self.send_header('Connection', 'close')
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(content)
        self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class makes of malformed HTTP."""
        self.close_connection = True
        if not hasattr(self, 'command'):
            self.command = None
        self.reply(code, {'error': message or 'malformed request'})

    def log_message(self, *_: Any) -> None:
        """No access log."""

    def handle(self) -> None:
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            pass


class InFlight:
    """Counts what is being answered, so that a stop can wait for it."""

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
        # HTTPServer's own would look up the host's name, which may take long.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def handle_error(self, *_: Any) -> None:
        sys.stderr.write(f'fault: {sys.exc_info()[1]!r}\n')


def serve(host: str, port: int, answer: Callable[[Request], Answer], finish: Callable[[], None]) -> None:
    """Serves until SIGTERM or SIGINT, finishes what is in flight, and ends the process with status 0."""
    # The wake-up pipe is written whichever thread the signal reaches; a handler in Python waits for this thread.
    asked, ask = os.pipe()
    os.set_blocking(ask, False)
    signal.set_wakeup_fd(ask)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: None)
    try:
        server = Server((host, port), type('BoundHandler', (Handler,), {'answer': staticmethod(answer)}))
    except OSError as problem:
        end(1, f'cannot listen on {host} port {port}: {problem.strerror or problem}')
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    shown = f'[{host}]' if ':' in host else host
    print(f'listening on http://{shown}:{server.server_port}', flush=True)
    os.read(asked, 1)
    server.stopping = True
    server.shutdown()
    server.socket.close()
    server.in_flight.wait(75)
    finish()
    os._exit(0)


def read_json(body: bytes) -> Any:
    """JSON by its standard: UTF-8, no NaN. ValueError for anything else."""

    def number(text: str) -> Any:
        return int(text) if len(text) < 400 else float(text)

    def stranger(text: str) -> Any:
        raise ValueError(f'{text} is no JSON')

    try:
        return json.loads(body.decode('utf-8'), parse_int=number, parse_constant=stranger)
    except RecursionError as problem:
        raise ValueError('too deep') from problem
