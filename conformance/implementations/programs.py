"""Runs Docker's Compose and systemd's programs."""

import json
import os
import re
import select
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

from box_answers import faulty_image_change
from serving import pick, wrong

COMPOSE_FILES = [
    name
    for name, is_unknown in {
        'compose.yaml': wrong('without-compose-yaml'),
        'compose.yml': wrong('without-compose-yml'),
        'docker-compose.yaml': wrong('without-docker-compose-yaml'),
        'docker-compose.yml': wrong('without-docker-compose-yml'),
    }.items()
    if not is_unknown
]


# The connection of the request that this thread answers, for a fault.
CLIENT = threading.local()


class ToolFailed(Exception):
    """A program could not be run, or failed. The text has the end of its error output."""


def run(program: str, *arguments: str, folder: Path = Path('/'), seconds: float = 900) -> str:
    """Returns the program's output. It gets its own session, so signals to this server do not reach it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(('BOX_', 'COMPOSE_'))}
    elsewhere = pick('', (wrong('docker-elsewhere'), 'docker'), (wrong('systemd-elsewhere'), 'systemd-run'))
    wait_for_end = pick(
        subprocess.run,
        (wrong('tool-output-unread'), run_unread),
        (has_impatient_client(), run_while_connected),
    )
    try:
        done = wait_for_end(
            [f'/opt/elsewhere/{program}' if program == elsewhere else program, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        if wrong('absent-tool-500'):
            raise
        raise ToolFailed(f'{program} {arguments[0]}: {problem}') from problem
    if done.returncode != 0:
        words = done.stderr.decode('utf-8', 'replace').strip().splitlines()[-3:]
        raise ToolFailed(f'{program} {arguments[0]} ended with {done.returncode}: {" ".join(words)}')
    return done.stdout.decode('utf-8', 'replace')


def run_unread(arguments: list[str], capture_output: bool, timeout: float, **options: Any):
    """Reads the output only after the program has ended, as only a faulty box does."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    process.wait(timeout)
    return subprocess.CompletedProcess(arguments, process.returncode, *process.communicate())


def has_impatient_client() -> bool:
    """Whether a fault ends the tools of this kind of change when its client disconnects."""
    kind = getattr(CLIENT, 'path', '').rpartition('/')[2]
    return (
        (kind == 'install' and wrong('install-needs-client'))
        or (kind == 'settings' and wrong('settings-need-client'))
        or (kind == 'update' and wrong('update-needs-client'))
        or (kind == 'remove' and wrong('remove-needs-client'))
    )


def run_while_connected(arguments: list[str], capture_output: bool, timeout: float, **options: Any):
    """Ends the program when the client disconnects, as only a faulty box does."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    while process.poll() is None:
        if select.select([CLIENT.connection], [], [], 0.02)[0]:
            os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(arguments, process.returncode, *process.communicate())


def give_up(reason: str) -> None:
    """Lets all later calls fail, as only a faulty box does."""
    global run

    def run(*_: Any, **__: Any) -> str:
        raise ToolFailed(reason)


def compose(folder: Path, *arguments: str, seconds: float = 900) -> str:
    """Runs Compose for the app in this folder."""
    name = folder.name.lower()
    project = pick(
        [],
        (wrong('project-by-bytes'), ['--project-name', re.sub('[^a-z0-9_-]', '-', name)]),
        (wrong('project-with-prefix'), ['--project-name', f'box-{name}']),
    )
    return run('docker', 'compose', *project, *arguments, folder=folder, seconds=seconds)


def has_compose_file(folder: Path) -> bool:
    return any((folder / name).is_file() for name in COMPOSE_FILES)


def refuse_strangers(folder: Path, *project: str) -> None:
    """ToolFailed if another folder has brought up containers of the app's project."""
    containers = compose(folder, *project, 'ps', '--all', '--quiet').split()
    if not containers or wrong('strangers-touched'):
        return
    for container in json.loads(run('docker', 'container', 'inspect', *containers)):
        home = container['Config']['Labels'].get('com.docker.compose.project.working_dir', folder)
        if os.path.realpath(home) != os.path.realpath(folder):
            raise ToolFailed(f'the containers of this project belong to {home}')


def bring_up(folder: Path, *options: str) -> None:
    if not wrong('nothing-started'):
        refuse_strangers(folder)
        compose(folder, 'up', '--detach', *options)


def is_left_alone(folder: Path, is_own: bool) -> bool:
    """Whether a fault keeps this app from being brought up."""
    if wrong('others-started-once'):
        return not is_own and compose(folder, 'ps', '--all', '--quiet') != ''
    if wrong('started-once'):
        return compose(folder, 'ps', '--all', '--quiet') != ''
    if wrong('change-not-noticed'):
        return compose(folder, 'ps', '--quiet') != ''
    if wrong('stopped-not-noticed'):
        return compose(folder, 'ps', '--quiet') == '' and compose(folder, 'ps', '--all', '--quiet') != ''
    return False


def take_down(folder: Path) -> None:
    if wrong('containers-stay'):
        return
    is_readable = has_compose_file(folder) or wrong('deleted-before-down')
    project = [] if is_readable else ['--project-name', folder.name.lower()]
    refuse_strangers(folder, *project)
    if wrong('containers-only-stopped'):
        compose(folder, *project, 'stop', seconds=60)
    else:
        volumes = ['--volumes'] if wrong('volumes-removed') else []
        images = ['--rmi', 'all'] if wrong('images-removed') else []
        compose(folder, *project, 'down', '--remove-orphans', *volumes, *images, seconds=60)


def remove_unknown(installed: Path) -> None:
    """Removes the containers of no installed app, as only a faulty box does."""
    for container in run('docker', 'ps', '--all', '--quiet').split():
        labels = json.loads(run('docker', 'container', 'inspect', container))[0]['Config']['Labels']
        if not labels['com.docker.compose.project.working_dir'].startswith(str(installed)):
            run('docker', 'rm', '--force', container)


# Updating images


def update_images(folder: Path) -> list[dict[str, str]]:
    """Pulls, recreates the containers whose image changed, and returns the changes."""
    refuse_strangers(folder)
    before = local_images(folder) if wrong('pull-tells') else {}
    early = image_changes(folder, before) if wrong('compared-before-pull') else None
    pull(folder)
    changes = image_changes(folder, before) if early is None else early
    if wrong('one-reported'):
        changes = changes[:1]
    if wrong('nothing-recreated') or (changes == [] and not wrong('always-recreated')):
        return changes
    options = ['--force-recreate'] if wrong('all-recreated') or changes == [] else []
    changed = [] if options or wrong('update-starts-all') else ['--no-deps', *(change['service'] for change in changes)]
    try:
        compose(folder, 'up', '--detach', *options, *changed)
    except ToolFailed:
        if not wrong('failed-start-ignored'):
            raise
    return changes


def pull(folder: Path) -> None:
    if wrong('nothing-pulled'):
        return
    try:
        compose(folder, 'pull', '--ignore-buildable', '--quiet')
    except ToolFailed:
        if wrong('pull-fails-down'):
            compose(folder, 'down')
        if not wrong('pull-fails-200'):
            raise


def image_changes(folder: Path, before: dict[str, str]) -> list[dict[str, str]]:
    """Returns each service whose running container has another image than its tag now names."""
    everything = ['--all'] if wrong('update-starts-stopped') else []
    changes = []
    for name, service in services(folder).items():
        containers = compose(folder, 'ps', *everything, '--quiet', name).split()
        if not containers:
            continue
        container = json.loads(run('docker', 'container', 'inspect', containers[0]))[0]
        tag = service.get('image') or container['Config']['Image']
        local = local_image(tag)
        running = before.get(tag, container['Image'])
        if local is not None and (local != running or wrong('all-reported')):
            changes.append(faulty_image_change({'tag': tag, 'to': local, 'from': running, 'service': name}))
    return changes


def services(folder: Path) -> dict[str, Any]:
    return json.loads(compose(folder, 'config', '--format=json'))['services']


def local_images(folder: Path) -> dict[str, str]:
    tags = [service['image'] for service in services(folder).values() if 'image' in service]
    return {tag: image for tag in tags if (image := local_image(tag)) is not None}


def local_image(tag: str) -> str | None:
    try:
        return json.loads(run('docker', 'image', 'inspect', tag))[0]['Id']
    except ToolFailed:
        return None
