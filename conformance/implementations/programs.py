"""Runs Docker's Compose and systemd's programs."""

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from box_faults import (
    faulty_image,
    faulty_image_change,
    faulty_program,
    faulty_project,
    faulty_run,
    faulty_services,
)
from faults import FAULT, KEPT, wrong

COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
if wrong('without-compose-yaml'):
    COMPOSE_FILES.remove('compose.yaml')
if wrong('without-compose-yml'):
    COMPOSE_FILES.remove('compose.yml')
if wrong('without-docker-compose-yaml'):
    COMPOSE_FILES.remove('docker-compose.yaml')
if wrong('without-docker-compose-yml'):
    COMPOSE_FILES.remove('docker-compose.yml')


class ToolFailed(Exception):
    """A program could not be run, or failed. The text has the end of its error output."""


def run(program: str, *arguments: str, folder: Path = Path('/'), seconds: float = 900) -> str:
    """Returns the program's output. It gets its own session, so signals to this server do not reach it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(('BOX_', 'COMPOSE_'))}
    try:
        done = faulty_run(subprocess.run)(
            [faulty_program(program), *arguments],
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


def give_up(reason: str) -> None:
    """Lets all later calls fail, as only a faulty box does."""
    global run

    def run(*_: Any, **__: Any) -> str:
        raise ToolFailed(reason)


def compose(folder: Path, *arguments: str, seconds: float = 900) -> str:
    """Runs Compose for the app in this folder."""
    return run('docker', 'compose', *faulty_project(folder, arguments), folder=folder, seconds=seconds)


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
    elif wrong('volumes-removed'):
        compose(folder, *project, 'down', '--remove-orphans', '--volumes', seconds=60)
    elif wrong('images-removed'):
        compose(folder, *project, 'down', '--remove-orphans', '--rmi', 'all', seconds=60)
    else:
        compose(folder, *project, 'down', '--remove-orphans', seconds=60)


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
    if wrong('pull-tells'):
        KEPT.update(local_images(folder))
    if wrong('compared-before-pull'):
        KEPT['changes'] = image_changes(folder)
    if FAULT:
        pull(folder)
    else:
        compose(folder, 'pull', '--ignore-buildable', '--quiet')
    changes = image_changes(folder)
    if wrong('compared-before-pull'):
        changes = KEPT['changes']
    if wrong('one-reported'):
        changes = changes[:1]
    if wrong('nothing-recreated') or (changes == [] and not wrong('always-recreated')):
        return changes
    changed = faulty_services(changes, ['--no-deps', *(change['service'] for change in changes)])
    if wrong('failed-start-ignored'):
        with suppress(ToolFailed):
            compose(folder, 'up', '--detach', *changed)
        return changes
    compose(folder, 'up', '--detach', *changed)
    return changes


def pull(folder: Path) -> None:
    """Pulls the app's images, as a faulty box does."""
    if wrong('nothing-pulled'):
        return
    try:
        compose(folder, 'pull', '--ignore-buildable', '--quiet')
    except ToolFailed:
        if wrong('pull-fails-down'):
            compose(folder, 'down')
        if not wrong('pull-fails-200'):
            raise


def image_changes(folder: Path) -> list[dict[str, str]]:
    """Returns each service whose running container has another image than its tag now names."""
    changes = []
    for name, service in services(folder).items():
        containers = compose(folder, 'ps', '--quiet', name).split()
        if wrong('update-starts-stopped'):
            containers = compose(folder, 'ps', '--all', '--quiet', name).split()
        if not containers:
            continue
        container = json.loads(run('docker', 'container', 'inspect', containers[0]))[0]
        tag = service.get('image') or container['Config']['Image']
        local = local_image(tag)
        running = faulty_image(tag, container['Image'])
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
