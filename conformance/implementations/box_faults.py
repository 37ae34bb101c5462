"""The faults of box.py that need more than a line: locks, requests, answers, programs, and the page.

A function `faulty_…` returns its last argument, unless the process has a fault that changes it.
"""

import os
import posixpath
import re
import select
import signal
import subprocess
import threading
import urllib.parse
from pathlib import Path
from typing import Any

from faults import CLIENT, KEPT, pick, wrong
from serving import Answer, Page, Refused

LOCKS: dict[str, threading.Lock] = {}


class LockFile:
    """A lock that outlives a killed process."""

    place: Path

    def __enter__(self) -> None:
        try:
            os.close(os.open(self.place, os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError as problem:
            raise Refused(500, 'a change is under way') from problem

    def __exit__(self, *_: Any) -> None:
        self.place.unlink()


def faulty_lock(name: str, lock: Any) -> Any:
    """The lock of a change of this app."""
    return LOCKS.setdefault(name, threading.Lock()) if wrong('a-lock-for-each-app') else lock


# Requests


def faulty_path(path: str) -> str:
    return pick(
        path,
        (wrong('trailing-slash'), path.rstrip('/') or '/'),
        (wrong('paths-in-any-case'), path.lower()),
        (wrong('double-slashes'), re.sub('/+', '/', path)),
        (wrong('version-segment'), path.removeprefix('/v1')),
        (wrong('paths-decoded'), urllib.parse.unquote(path)),
        (wrong('paths-cleaned'), posixpath.normpath('/' + path.lstrip('/'))),
    )


def is_other_change(method: str) -> bool:
    """Whether a request with this method is a change."""
    return (
        (method == 'DELETE' and wrong('delete-removes'))
        or (method in ('PUT', 'PATCH') and wrong('put-changes-settings'))
        or (method == 'PUT' and wrong('put-installs'))
    )


def refuses_unknown(body: dict[str, Any]) -> bool:
    """Whether an unknown path is 404 before the name is checked."""
    return (
        wrong('post-outside-404-first')
        or (wrong('post-outside-any-name') and 'name' in body)
        or (wrong('post-outside-empty-name') and body.get('name') == '')
    )


def similar_name(folder: Path, name: str) -> str:
    """The name itself, or a similar one that is taken for it."""
    alike = [one for one in os.listdir(folder) if one.lower() == name.lower()]
    return pick(
        name,
        (wrong('removes-trimmed-name'), name.strip()),
        (wrong('removes-in-any-case') and alike != [], alike[0] if alike else name),
    )


# Answers and parts of answers


def unchanged(value: Any) -> Any:
    return value


def adding(**fields: Any):
    return lambda value: {**value, **fields}


def without(name: str):
    return lambda value: {key: one for key, one in value.items() if key != name}


def changing(name: str, change: Any):
    return lambda value: {**value, name: change(value[name])}


def copying(name: str, source: str):
    return lambda value: {**value, name: value[source]}


def of_broken(change: Any):
    """Changes the entries of broken apps."""
    return lambda app: app if app['ok'] else change(app)


def by_number(app: dict[str, Any]) -> list[Any]:
    return [int(part) if part.isdigit() else part for part in re.split('([0-9]+)', app['name'])]


CHANGED_SUMMARY = pick(
    unchanged,
    (wrong('summary-without-long-text'), without('description_long')),
    (wrong('summary-shown-name'), copying('name', 'display_name')),
    (wrong('summary-plain-name'), copying('display_name', 'name')),
    (wrong('summary-version-number'), changing('version', lambda version: int(version.split('.')[0] or 0))),
    (wrong('summary-version-cut'), changing('version', lambda version: '.'.join(version.split('.')[:2]))),
    (wrong('summary-long-for-short'), copying('description', 'description_long')),
    (wrong('summary-short-for-long'), copying('description_long', 'description')),
    (wrong('summary-ports-text'), changing('ports', lambda ports: [str(port) for port in ports])),
    (wrong('summary-first-port'), changing('ports', lambda ports: ports[:1])),
    (wrong('summary-no-ports'), adding(ports=[])),
    (wrong('summary-icon-path'), changing('icon', lambda icon: f'app/{icon}')),
    (wrong('summary-empty-icon'), changing('icon_svg', lambda markup: markup or '')),
    (wrong('always-has-settings'), adding(has_settings=True)),
)

CHANGED_ENTRY = pick(
    unchanged,
    (wrong('installed-without-ok'), lambda app: without('ok')(app) if app['ok'] else app),
    (wrong('icon-of-bundle-only'), lambda app: {**app, 'icon_svg': None} if app['ok'] else app),
    (wrong('broken-with-path'), of_broken(changing('name', lambda name: f'./{name}'))),
    (wrong('broken-ok-null'), of_broken(adding(ok=None))),
    (wrong('broken-without-reason'), of_broken(adding(error=''))),
)

CHANGED_SETTING = pick(
    unchanged,
    (wrong('setting-name-lowered'), changing('name', str.lower)),
    (wrong('setting-label-is-name'), copying('label', 'name')),
    (wrong('setting-without-text'), adding(description='')),
    (wrong('setting-types-known'), changing('type', lambda kind: kind if kind in ('password', 'number') else 'text')),
    (wrong('setting-required-text'), changing('required', str)),
    (wrong('setting-default-empty'), changing('default', lambda default: default or '')),
    (wrong('setting-without-default'), without('default')),
    (wrong('setting-without-value'), without('value')),
    (wrong('default-before-env'), lambda one: {**one, 'value': one['default'] or one['value']}),
    (wrong('value-null'), changing('value', lambda value: value or None)),
    (wrong('value-with-quotes'), changing('value', lambda value: f'"{value}"' if ' ' in value else value)),
)

CHANGED_VIEW = pick(
    unchanged,
    (wrong('view-without-long-text'), without('description_long')),
    (wrong('view-plain-name'), copying('display_name', 'name')),
    (wrong('view-never-installed'), adding(installed=False)),
    (wrong('view-always-installed'), adding(installed=True)),
    (wrong('view-only-filled'), changing('settings', lambda entries: [one for one in entries if one['value']])),
)

CHANGED_ACTION = pick(
    unchanged,
    (wrong('actions-without-detail'), without('detail')),
)

CHANGED_IMAGE_CHANGE = pick(
    unchanged,
    (wrong('change-service-container'), changing('service', lambda service: f'{service}-1')),
    (wrong('change-ids-swapped'), lambda one: {**one, 'from': one['to'], 'to': one['from']}),
    (wrong('change-from-short'), changing('from', lambda image: image[:19])),
    (wrong('change-to-tag'), copying('to', 'tag')),
    (wrong('change-tag-id'), copying('tag', 'to')),
    (wrong('change-tag-latest'), adding(tag='latest')),
    (wrong('change-tag-after-first-colon'), changing('tag', lambda tag: tag.split(':')[1])),
    (wrong('change-without-tag'), without('tag')),
)

FAULTY_STATUSES = pick(
    {},
    (wrong('created-for-list'), {'listApps': 201}),
    (wrong('view-other-status'), {'getAppSettings': 203}),
    (wrong('change-202'), {'updateAppSettings': 202}),
    (wrong('update-202'), {'updateApp': 202}),
    (wrong('check-202'), {'checkSelfUpdate': 202}),
    (wrong('apply-200'), {'applySelfUpdate': 200}),
    (wrong('install-201'), {'installApp': 201}),
    (wrong('remove-202'), {'removeApp': 202}),
)

FAULTY_BODIES = {
    'listApps': pick(
        unchanged,
        (wrong('list-in-object'), lambda apps: {'apps': apps}),
        (wrong('broken-left-out'), lambda apps: [app for app in apps if app['ok']]),
        (
            wrong('without-manifest-left-out'),
            lambda apps: [app for app in apps if 'No such file' not in app.get('error', '')],
        ),
    ),
    'listBundledApps': pick(
        unchanged,
        (wrong('bundled-by-number'), lambda apps: sorted(apps, key=by_number)),
        (wrong('bundled-in-disorder'), lambda apps: apps[::-1]),
        (wrong('bundled-by-shown-name'), lambda apps: sorted(apps, key=lambda app: app['display_name'])),
    ),
    'getAppSettings': CHANGED_VIEW,
    'updateAppSettings': pick(
        unchanged,
        (wrong('change-says-true'), adding(updated=True)),
        (wrong('change-counts-actions'), changing('actions', len)),
    ),
    'updateApp': pick(
        unchanged,
        (wrong('update-without-services'), lambda body: body if body['updated'] else without('services')(body)),
        (wrong('update-counts'), lambda body: {**body, 'updated': len(body['services'])}),
        (wrong('update-services-names'), changing('services', lambda all: [one['service'] for one in all])),
        (wrong('update-app-path'), changing('app', lambda name: f'/apps/{name}')),
        (wrong('always-updated'), adding(updated=True)),
        (wrong('never-updated'), adding(updated=False)),
    ),
    'checkSelfUpdate': pick(
        unchanged,
        (wrong('check-without-current'), without('current')),
        (wrong('check-latest-null'), lambda body: body if body['update_available'] else {**body, 'latest': None}),
        (wrong('check-latest-own'), copying('latest', 'current')),
        (wrong('check-versions-lists'), changing('latest', lambda version: version.split('.'))),
        (wrong('check-yes'), adding(update_available='yes')),
    ),
    'applySelfUpdate': pick(
        unchanged,
        (wrong('apply-started'), adding(status='started')),
        (wrong('apply-unit-null'), adding(unit=None)),
        (wrong('apply-unit-other'), adding(unit='update.service')),
    ),
    'getSelfUpdateStatus': pick(
        unchanged,
        (wrong('status-list'), lambda state: [state]),
        (wrong('status-null'), lambda state: state or None),
        (wrong('status-idle'), lambda state: state or {'stage': 'done'}),
        (wrong('status-stage-only'), lambda state: {key: state[key] for key in state if key == 'stage'}),
    ),
    'installApp': pick(
        unchanged,
        (wrong('installed-true'), adding(installed=True)),
        (wrong('installed-name'), changing('installed', lambda path: path.rpartition('/')[2])),
        (wrong('installed-folder-above'), changing('installed', lambda path: path.rpartition('/')[0])),
        (wrong('install-actions-texts'), changing('actions', lambda all: [one['detail'] for one in all])),
        (wrong('install-without-actions'), adding(actions=None)),
    ),
    'removeApp': pick(
        unchanged,
        (wrong('removed-true'), adding(removed=True)),
        (wrong('removed-path'), changing('removed', lambda name: f'/apps/{name}')),
        (wrong('warning-left-out'), lambda body: body if body['compose_warning'] else without('compose_warning')(body)),
        (wrong('warning-true'), changing('compose_warning', lambda text: text and True)),
        (wrong('warning-swallowed'), adding(compose_warning=None)),
        (wrong('warning-says-nothing'), changing('compose_warning', lambda text: text and '')),
        (wrong('warning-of-its-own'), changing('compose_warning', lambda text: text and 'something failed')),
    ),
}


def faulty_answer(operation: str, answer: Answer) -> Answer:
    status, body = answer
    return FAULTY_STATUSES.get(operation, status), FAULTY_BODIES[operation](body)


def faulty_summary(app: dict[str, Any]) -> Any:
    return CHANGED_SUMMARY(app)


def faulty_entry(folder: Path, app: dict[str, Any]) -> Any:
    return KEPT.setdefault(folder, app) if wrong('list-remembers') else CHANGED_ENTRY(app)


def faulty_setting(entry: dict[str, Any]) -> Any:
    return CHANGED_SETTING(entry)


def faulty_password(value: str, is_set: bool, default: str | None, shown: str) -> str | None:
    return pick(
        shown,
        (wrong('password-echoed'), value),
        (wrong('password-masked') and is_set, '********'),
        (wrong('password-default'), default or ''),
        (wrong('password-null'), None),
    )


def faulty_action(action: dict[str, str]) -> Any:
    return CHANGED_ACTION(action)


def faulty_image_change(change: dict[str, str]) -> Any:
    return CHANGED_IMAGE_CHANGE(change)


def faulty_status(actions: list[dict[str, str]], own: str, status: int) -> int:
    """The status of a change. `own` is the app of the request."""
    failed = {action['target'] for action in actions if action['kind'] == 'failed'}
    if wrong('own-failure-200') and failed <= {own}:
        return 200
    if wrong('other-failure-200') and own not in failed:
        return 200
    return pick(
        status,
        (wrong('always-200'), 200),
        (wrong('always-207'), 207),
        (wrong('failed-reconcile-502') and status == 207, 502),
    )


# Programs


def faulty_run(run: Any) -> Any:
    return pick(
        run,
        (wrong('tool-output-unread'), run_unread),
        (has_impatient_client(), run_while_connected),
    )


def run_unread(arguments: list[str], capture_output: bool, timeout: float, **options: Any):
    """Reads the output only after the program has ended."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    process.wait(timeout)
    return subprocess.CompletedProcess(arguments, process.returncode, *process.communicate())


def has_impatient_client() -> bool:
    """Whether the tools of this kind of change end when its client disconnects."""
    kind = CLIENT.request.path.rpartition('/')[2] if hasattr(CLIENT, 'request') else ''
    return (
        (kind == 'install' and wrong('install-needs-client'))
        or (kind == 'settings' and wrong('settings-need-client'))
        or (kind == 'update' and wrong('update-needs-client'))
        or (kind == 'remove' and wrong('remove-needs-client'))
    )


def run_while_connected(arguments: list[str], capture_output: bool, timeout: float, **options: Any):
    """Ends the program when the client disconnects."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    while process.poll() is None:
        if select.select([CLIENT.request.connection], [], [], 0.02)[0]:
            os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(arguments, process.returncode, *process.communicate())


def faulty_program(program: str) -> str:
    elsewhere = pick('', (wrong('docker-elsewhere'), 'docker'), (wrong('systemd-elsewhere'), 'systemd-run'))
    return f'/opt/elsewhere/{program}' if program == elsewhere else program


def faulty_project(folder: Path, arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments of Compose for the app in this folder."""
    name = folder.name.lower()
    return pick(
        arguments,
        (wrong('project-by-bytes'), ('--project-name', re.sub('[^a-z0-9_-]', '-', name), *arguments)),
        (wrong('project-with-prefix'), ('--project-name', f'box-{name}', *arguments)),
    )


def faulty_image(tag: str, running: str) -> str:
    """The image that a container of this tag runs. A faulty box compares with what the tag named before the pull."""
    return KEPT.get(tag, running)


def faulty_services(changes: list[Any], arguments: list[str]) -> list[str]:
    """The arguments that choose which containers an update recreates."""
    return pick(
        arguments,
        (wrong('all-recreated') or changes == [], ['--force-recreate']),
        (wrong('update-starts-all'), []),
    )


# The page


def faulty_page(path: str, answer: Answer) -> Answer:
    if wrong('apps-page-500'):
        raise RuntimeError('no page')
    if wrong('page-elsewhere') and path == '/':
        return 302, Page('<html></html>')
    if wrong('page-json') and path == '/':
        return 200, {}
    if (wrong('apps-page-other') and path == '/apps') or (wrong('apps-folder-page-other') and path == '/apps/'):
        return 200, Page('<!doctype html><title>Apps</title>')
    pattern, replacement = FAULTY_PAGE
    return 200, Page(re.sub(pattern, replacement, answer[1], flags=re.IGNORECASE | re.DOTALL))


# A pattern, and what replaces each match.
FAULTY_PAGE = pick(
    ('$^', ''),
    (wrong('page-title'), ('<title>.*</title>', '<title>Box</title>')),
    (wrong('page-without-title'), ('<title>.*</title>', '')),
    (wrong('page-without-home'), ('href="/"', 'href="#"')),
    (wrong('page-without-apps'), ('href="/apps"', 'href="#"')),
    (wrong('page-settings-elsewhere'), ('href="/settings/"', 'href="/settings"')),
    (wrong('page-without-style'), ('<link [^>]*>', '')),
    (wrong('page-style-relative'), ('href="/style.css"', 'href="style.css"')),
    (wrong('page-script-file'), ('<script>.*</script>', '<script src="/page.js"></script>')),
    (wrong('page-script-none'), ('<script>.*</script>', '')),
    (wrong('page-script-compiled'), ('<script>', '<script type="text/babel">')),
    (wrong('page-font'), ('<style>', '<link rel="stylesheet" href="https://fonts.example/a.css"><style>')),
    (wrong('page-image'), ('<h1>', '<h1><img src="/logo.png" alt="">')),
    (wrong('page-style-import'), ('<style>', '<style>@import url(/more.css);')),
    (wrong('page-module-import'), ('<script>', "<script>\nimport '/more.js';\n")),
    (wrong('page-without-warning'), ('<p class="warning">.*?</p>', '')),
    (wrong('page-script-broken'), (r'show\(\);\n</script>', 'show(;\n</script>')),
    (wrong('page-loads-later'), (r'show\(\);\n</script>', "show();\nfetch('/more.json');\n</script>")),
    (wrong('page-light'), ('#14161a', '#f4f4f4')),
    (
        wrong('page-without-cards'),
        (r'\.\.\.installed\.map\(installedCard\)', '...installed.flatMap((app) => [...installedCard(app).childNodes])'),
    ),
    (wrong('page-without-bundled-list'), ('/api/bundled', '/api/apps')),
    (wrong('page-lists-alike'), ('<h2>Installed</h2>', '<h2>Available to install</h2>')),
    (wrong('page-without-reinstall'), (r"button\('Reinstall'", "button('Again'")),
    (wrong('page-without-remove'), (r"button\('Remove'", "button('x'")),
    (wrong('page-without-update'), (r"button\('Update'", "button('x'")),
    (wrong('page-without-install'), (r"button\('Install'", "button('Get'")),
    (wrong('page-without-settings-button'), (r'app\.has_settings', 'false')),
    (wrong('page-always-settings-button'), (r'app\.has_settings', 'true')),
    (
        wrong('page-form-of-nothing'),
        ('const view = await [^\n]*', 'const view = { display_name: name, settings: [] };'),
    ),
    (wrong('page-form-of-list'), (r'/api/apps/\$\{name\}/settings`\)', '/api/apps`)')),
    (wrong('page-without-password-fields'), (r"\['password', 'number'\]", "['number']")),
    (wrong('page-without-number-fields'), (r"\['password', 'number'\]", "['password']")),
    (wrong('page-types-as-given'), ('const type = [^\n]*', 'const { type } = setting;')),
    (wrong('page-required-unmarked'), (r"\(setting\.required \? ' \*' : ''\)", "''")),
    (wrong('page-required-never'), ('const required = [^\n]*', 'const required = false;')),
    (wrong('page-required-in-edit'), ('installing && setting.required', 'setting.required')),
    (wrong('page-blank-passwords'), (r'const sent = [^\n]*', 'const sent = inputs;')),
    (wrong('page-never-new-passwords'), (r" \|\| one\.value !== ''", '')),
    (wrong('page-install-without-settings'), ('{ name, settings }', '{ name }')),
    (wrong('page-install-flat'), ('{ name, settings }', '{ name, ...settings }')),
    (
        wrong('page-install-elsewhere'),
        (r"'/api/apps/install', \{ name, settings", '`/api/apps/${name}/install`, { name, settings'),
    ),
    (wrong('page-edit-with-name'), (r'settings`, \{ settings \}', 'settings`, { name, settings }')),
    (wrong('page-edit-as-install'), (r'send\(`/api/apps/\$\{name\}/settings`', "send('/api/apps/install'")),
    (
        wrong('page-reinstall-with-settings'),
        (r'install\', \{ name: app\.name', "install', { settings: {}, name: app.name"),
    ),
    (
        wrong('page-reinstall-elsewhere'),
        (r"'/api/apps/install', \{ name: app", '`/api/apps/${app.name}/reinstall`, { name: app'),
    ),
    (wrong('page-remove-elsewhere'), (r"'/api/apps/remove'", '`/api/apps/${app.name}/remove`')),
    (wrong('page-remove-with-more'), (r"remove', \{", "remove', { force: true,")),
    (wrong('page-update-elsewhere'), (r'`/api/apps/\$\{app\.name\}/update`', "'/api/apps/update'")),
    (wrong('page-without-log'), ('<pre id="log">', '<pre id="log" hidden>')),
    (wrong('page-log-open'), ('(</?)details', r'\1section')),
    (wrong('page-log-without-status'), (r"byId\('status'\)\.textContent = [^\n]*", '')),
    (wrong('page-log-of-first'), (r"byId\('log'\)\.textContent =", "byId('log').textContent ||=")),
    (wrong('page-without-icons'), (r'app\.icon_svg \?', 'false ?')),
    (wrong('page-icon-requested'), ('src: address', 'src: `/icons/${app.name}.svg`')),
    (wrong('page-without-folder'), ("'📁'", "''")),
    (wrong('page-icon-as-markup'), (r"make\('img', [^)]*\)", "make('span', { innerHTML: app.icon_svg })")),
    (wrong('page-never-done'), (r'\[state\.stage, ', "[state.stage === 'rolled_back' ? 'rolled back' : 'under way', ")),
    (
        wrong('page-never-rolled-back'),
        (r'\[state\.stage, state\.reason\]', "[state.stage === 'done' ? 'done' : 'under way']"),
    ),
    (wrong('page-asks-once'), (r'setTimeout\(follow, 1000\)', '0')),
)
