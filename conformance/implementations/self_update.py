"""Looks for a newer version of the software, and starts the job that updates it.

The job replaces nothing: it only reports how it ended.
"""

import fcntl
import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from app_files import replace_file
from box_answers import refused
from box_faults import faulty_answer
from faults import FAULT, KEPT, pick, wrong
from programs import ToolFailed, run
from serving import Answer, end, read_json

VERSION = '0.4.2'
UNIT = 'second-box-update.service'
STATE_FILE = 'update.json' if wrong('state-elsewhere') else 'update-state.json'
LOCK_FILE = 'updater.lock' if wrong('lock-elsewhere') else 'update.lock'


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
            version = read_json(KEPT.setdefault('feed', text) if wrong('feed-remembered') else text)['version']
            is_newer(version)
            return version
        except (OSError, ValueError, KeyError, TypeError) as problem:
            if wrong('check-fails-quietly') or (wrong('check-nonsense') and not isinstance(problem, OSError)):
                return VERSION
            raise ToolFailed(problem) from problem

    def check(self) -> Answer:
        if wrong('check-is-an-attempt'):
            self.write_state({'stage': 'done'})
        try:
            latest = self.latest()
        except ToolFailed as problem:
            raise refused('update check', problem) from problem
        body = {'update_available': is_newer(latest), 'latest': latest, 'current': VERSION}
        return faulty_answer('checkSelfUpdate', (200, body))

    def status(self) -> Answer:
        state = {}
        try:
            found = read_json((self.state_dir / STATE_FILE).read_bytes())
            state = found if isinstance(found, dict) else {}
        except (OSError, ValueError) as problem:
            if wrong('status-404') and isinstance(problem, FileNotFoundError):
                raise refused('not found') from None
            if wrong('status-damaged-500') and not isinstance(problem, FileNotFoundError):
                raise
        if wrong('status-of-start'):
            state = KEPT.setdefault('state', state)
        return faulty_answer('getSelfUpdateStatus', (200, state))

    def start(self) -> Answer:
        if not wrong('lock-tested-late'):
            self.refuse_running()
        try:
            self.start_job()
        except ToolFailed as problem:
            if not wrong('start-fails-202'):
                raise refused('update start', problem) from problem
        if wrong('lock-tested-late'):
            self.refuse_running()
        return faulty_answer('applySelfUpdate', (202, {'unit': UNIT, 'status': 'dispatched'}))

    def start_job(self) -> None:
        if wrong('nothing-dispatched'):
            return
        job = (sys.executable, os.path.abspath(sys.argv[0]), 'update')
        if wrong('update-as-child'):
            subprocess.Popen(job, env={**os.environ, **self.variables()}, stdin=subprocess.DEVNULL)
            return
        handed_on = [f'--setenv={name}={value}' for name, value in self.variables().items()]
        if wrong('waits-for-update'):
            run('systemd-run', '--collect', f'--unit={UNIT}', '--wait', *handed_on, *job, seconds=900)
            return
        run('systemd-run', '--collect', f'--unit={UNIT}', *handed_on, *job, seconds=30)

    def refuse_running(self) -> None:
        if wrong('lock-by-its-file') and (self.state_dir / LOCK_FILE).exists():
            raise refused('update running')
        lock = self.take_lock()
        if (lock is None and not wrong('lock-not-tested')) or self.is_running():
            raise refused('update running')
        if not (wrong('lock-kept') or (wrong('lock-not-tested') and lock is None)):
            os.close(lock)

    def variables(self) -> dict[str, str]:
        """The variables that the job needs."""
        values = {name: value for name, value in self.settings.items() if value not in (None, [])}
        texts = {name: ','.join(value) if isinstance(value, list) else str(value) for name, value in values.items()}
        return {**texts, 'BOXGATE_FAULT': FAULT} if FAULT else texts

    def is_running(self) -> bool:
        try:
            run('systemctl', 'is-active', '--quiet', UNIT, seconds=30)
            return True
        except ToolFailed:
            return False

    def take_lock(self) -> int | None:
        """The lock's descriptor, or None while another process holds it."""
        mode = 0o644 if wrong('lock-open') else 0o600
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
        if wrong('state-without-stage'):
            del state['stage']
        if wrong('rolled-back-silently'):
            state.pop('reason', None)
        if wrong('reason-as-list') and 'reason' in state:
            state['reason'] = [state['reason']]
        replace_file(self.state_dir / STATE_FILE, json.dumps(state), 0o600 if wrong('state-file-private') else 0o644)


def is_newer(version: str) -> bool:
    def numbers(version: str) -> list[int]:
        return [int(part) for part in re.split(r'[-+]', version)[0].split('.')]

    return pick(
        numbers(version) > numbers(VERSION),
        (wrong('check-never-newer'), False),
        (wrong('check-same-is-newer'), numbers(version) >= numbers(VERSION)),
        (wrong('older-is-newer'), version != VERSION),
        (wrong('versions-as-texts'), version > VERSION),
    )
