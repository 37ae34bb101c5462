"""Runs Docker's Compose and systemd's programs."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']


class ToolFailed(Exception):
    """A program could not be run, or failed. The text has the end of its error output."""


def run(program: str, *arguments: str, folder: Path = Path('/'), seconds: float = 900) -> str:
    """Returns the program's output. It gets its own session, so signals to this server do not reach it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(('BOX_', 'COMPOSE_'))}
    try:
        done = subprocess.run(
            [program, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise ToolFailed(f'{program} {arguments[0]}: {problem}') from problem
    if done.returncode != 0:
        words = done.stderr.decode('utf-8', 'replace').strip().splitlines()[-3:]
        raise ToolFailed(f'{program} {arguments[0]} ended with {done.returncode}: {" ".join(words)}')
    return done.stdout.decode('utf-8', 'replace')


def compose(folder: Path, *arguments: str, seconds: float = 900) -> str:
    """Runs Compose for the app in this folder."""
    return run('docker', 'compose', *arguments, folder=folder, seconds=seconds)


def has_compose_file(folder: Path) -> bool:
    return any((folder / name).is_file() for name in COMPOSE_FILES)


def refuse_strangers(folder: Path, *project: str) -> None:
    """ToolFailed if another folder has brought up containers of the app's project."""
    containers = compose(folder, *project, 'ps', '--all', '--quiet').split()
    if not containers:
        return
    for container in json.loads(run('docker', 'container', 'inspect', *containers)):
        home = container['Config']['Labels'].get('com.docker.compose.project.working_dir', folder)
        if os.path.realpath(home) != os.path.realpath(folder):
            raise ToolFailed(f'the containers of this project belong to {home}')


def bring_up(folder: Path, *options: str) -> None:
    refuse_strangers(folder)
    compose(folder, 'up', '--detach', *options)


def take_down(folder: Path) -> None:
    is_readable = has_compose_file(folder)
    project = [] if is_readable else ['--project-name', folder.name.lower()]
    refuse_strangers(folder, *project)
    compose(folder, *project, 'down', '--remove-orphans', seconds=60)


# Updating images


def update_images(folder: Path) -> list[dict[str, str]]:
    """Pulls, recreates the containers whose image changed, and returns the changes."""
    refuse_strangers(folder)
    compose(folder, 'pull', '--ignore-buildable', '--quiet')
    changes = image_changes(folder)
    if changes == []:
        return changes
    changed = ['--no-deps', *(change['service'] for change in changes)]
    compose(folder, 'up', '--detach', *changed)
    return changes


def image_changes(folder: Path) -> list[dict[str, str]]:
    """Returns each service whose running container has another image than its tag now names."""
    changes = []
    for name, service in services(folder).items():
        containers = compose(folder, 'ps', '--quiet', name).split()
        if not containers:
            continue
        container = json.loads(run('docker', 'container', 'inspect', containers[0]))[0]
        tag = service.get('image') or container['Config']['Image']
        local = local_image(tag)
        running = container['Image']
        if local is not None and local != running:
            changes.append({'tag': tag, 'to': local, 'from': running, 'service': name})
    return changes


def services(folder: Path) -> dict[str, Any]:
    return json.loads(compose(folder, 'config', '--format=json'))['services']


def local_image(tag: str) -> str | None:
    try:
        return json.loads(run('docker', 'image', 'inspect', tag))[0]['Id']
    except ToolFailed:
        return None
