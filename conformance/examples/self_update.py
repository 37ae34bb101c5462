"""Looks for a newer version of the software, and starts the job that updates it.

The job replaces nothing: it only reports how it ended.
"""

import fcntl
import json
import os
import re
import sys
import urllib.request
from pathlib import Path
from typing import Any

from app_files import replace_file
from box_answers import refused
from programs import ToolFailed, run
from serving import Answer, end, read_json

VERSION = '0.4.2'
UNIT = 'second-box-update.service'
STATE_FILE = 'update-state.json'
LOCK_FILE = 'update.lock'


class SelfUpdate:
    def __init__(self, settings: dict[str, Any], state_dir: Path):
        self.settings = settings
        self.feed = settings['BOX_RELEASE_FEED']
        self.state_dir = state_dir

    def latest(self) -> str:
        """The version on offer. ToolFailed if the feed cannot be read."""
        if self.feed is None:
            raise ToolFailed('no release feed is configured')
        try:
            with urllib.request.urlopen(self.feed, timeout=10) as feed:
                text = feed.read(1_000_000)
            version = read_json(text)['version']
            is_newer(version)
            return version
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise ToolFailed(problem) from problem

    def check(self) -> Answer:
        try:
            latest = self.latest()
        except ToolFailed as problem:
            raise refused('update check', problem) from problem
        body = {'update_available': is_newer(latest), 'latest': latest, 'current': VERSION}
        return 200, body

    def status(self) -> Answer:
        state = {}
        try:
            found = read_json((self.state_dir / STATE_FILE).read_bytes())
            state = found if isinstance(found, dict) else {}
        except (OSError, ValueError):
            pass
        return 200, state

    def start(self) -> Answer:
        self.refuse_running()
        try:
            self.start_job()
        except ToolFailed as problem:
            raise refused('update start', problem) from problem
        return 202, {'unit': UNIT, 'status': 'dispatched'}

    def start_job(self) -> None:
        job = (sys.executable, os.path.abspath(sys.argv[0]), 'update')
        handed_on = [f'--setenv={name}={value}' for name, value in self.variables().items()]
        run('systemd-run', '--collect', f'--unit={UNIT}', *handed_on, *job, seconds=30)

    def refuse_running(self) -> None:
        lock = self.take_lock()
        if lock is None or self.is_running():
            raise refused('update running')
        os.close(lock)

    def variables(self) -> dict[str, str]:
        """The variables that the job needs."""
        values = {name: value for name, value in self.settings.items() if value not in (None, [])}
        texts = {name: ','.join(value) if isinstance(value, list) else str(value) for name, value in values.items()}
        return texts

    def is_running(self) -> bool:
        try:
            run('systemctl', 'is-active', '--quiet', UNIT, seconds=30)
            return True
        except ToolFailed:
            return False

    def take_lock(self) -> int | None:
        """The lock's descriptor, or None while another process holds it."""
        mode = 0o600
        lock = os.open(self.state_dir / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            os.close(lock)
            return None

    def run_job(self) -> None:
        """The job. It holds the lock while it runs, and writes how it ended into the state."""
        if self.take_lock() is None:
            end(1, 'an update is already running')
        self.write_state({'stage': 'looking'})
        try:
            is_offered = is_newer(self.latest())
        except ToolFailed as problem:
            self.write_state({'stage': 'rolled_back', 'reason': str(problem)})
            return
        if is_offered:
            self.write_state({'stage': 'rolled_back', 'reason': 'this software cannot be replaced'})
        else:
            self.write_state({'stage': 'done'})

    def write_state(self, state: dict[str, Any]) -> None:
        replace_file(self.state_dir / STATE_FILE, json.dumps(state), 0o644)


def is_newer(version: str) -> bool:
    def numbers(version: str) -> list[int]:
        return [int(part) for part in re.split(r'[-+]', version)[0].split('.')]

    return numbers(version) > numbers(VERSION)
