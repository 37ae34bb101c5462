"""The route files of gateway.py, one for each route, which Traefik reads with its file provider."""

import json
import os
from pathlib import Path
from typing import Any

from faults import pick, wrong

PREFIX = 'second-gateway.'


class RouteFiles:
    def __init__(self, folder: Path, domain: str, entry_point: str, resolver: str | None):
        self.folder = folder
        self.domain = f'www.{domain}' if wrong('domain-with-www') else domain
        self.entry_point = 'websecure' if wrong('entry-point-ignored') else entry_point
        self.resolver = pick(
            resolver,
            (wrong('resolver-ignored'), None),
            (wrong('resolver-default'), resolver or 'letsencrypt'),
        )
        folder.mkdir(parents=True, exist_ok=True)

    def file(self, route_id: Any) -> Path:
        return self.folder / f'{PREFIX}{route_id}.yaml'

    def remove(self, route_id: Any) -> None:
        self.file(route_id).unlink(missing_ok=True)

    def write(self, route: Any) -> None:
        """Replaces the file in one step, so that Traefik never reads half of it."""
        if wrong('publish-without-file'):
            return
        file, text = self.file(route['id']), self.text(route)
        if wrong('half-a-file'):
            text = text[: len(text) // 2]
        if wrong('files-in-place'):
            file.write_text(text, 'utf-8')
            return
        # Traefik watches the folder itself, not the folders in it.
        beside = self.folder / '.unfinished'
        beside.mkdir(exist_ok=True)
        unfinished = beside / file.name.removesuffix('.yaml')
        if wrong('temporary-files-in-view'):
            unfinished = file.with_suffix('.new')
        if wrong('temporary-files-read'):
            unfinished = file.with_suffix('.new.yaml')
        with open(unfinished, 'w', encoding='utf-8') as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, file)

    def update(self, routes: list[Any]) -> None:
        """Makes the folder match these routes. The files of others stay."""
        wanted = {self.file(route['id']): route for route in routes}
        for file in self.folder.glob('*' if wrong('files-of-others-removed') else f'{PREFIX}*'):
            if file not in wanted and not (wrong('files-of-others-removed') and file.is_dir()):
                file.unlink()
        for file, route in wanted.items():
            if not file.is_file() or file.read_text('utf-8', 'replace') != self.text(route):
                self.write(route)

    def text(self, route: Any) -> str:
        name = f'published-{route["id"]}'
        rule = f'Host(`{route["subdomain"]}.{self.domain}`)'
        if wrong('catch-all-host'):
            rule = f'{rule} || Host(`all.example`)'
        router = {
            'rule': rule,
            'entryPoints': [self.entry_point],
            'service': name,
            'tls': {} if self.resolver is None else {'certResolver': self.resolver},
        }
        server = {'url': f'http://{route["address"]}:{route["port"]}'}
        service = {'loadBalancer': {'servers': [server]}}
        return json.dumps({'http': {'routers': {name: router}, 'services': {name: service}}}, indent=1) + '\n'
