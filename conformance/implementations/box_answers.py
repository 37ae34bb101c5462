"""The box's refusals, and how faults change its answers and its page.

The functions `faulty_…` return their argument, unless the process has a fault that changes it.
"""

import re
from typing import Any

from serving import Answer, Page, Refused, pick, wrong

REFUSALS = {
    'not found': (
        400 if wrong('unknown-path-400') else 404,
        'Not found' if wrong('not-found-with-capital') else 'not found',
    ),
    'no JSON': (400, 'the body is no JSON' if wrong('invalid-json-text') else 'invalid JSON body'),
    'no object': (
        422 if wrong('no-object-422') else 400,
        'body must be an object' if wrong('no-object-text') else 'body must be a JSON object',
    ),
    'app name': (
        404 if wrong('invalid-name-404') else 400,
        'invalid name' if wrong('invalid-name-text') else 'invalid app name',
    ),
    'name': (
        404 if wrong('name-missing-404') else 400,
        'missing or empty name field' if wrong('name-missing-text') else "missing or empty 'name' field",
    ),
    'settings of a change': (
        422 if wrong('settings-missing-422') else 400,
        "missing 'settings' object" if wrong('settings-missing-text') else "missing or invalid 'settings' object",
    ),
    'settings of an install': (
        422 if wrong('install-settings-422') else 400,
        'settings must be an object' if wrong('install-settings-text') else "'settings' must be an object",
    ),
    'values': (422 if wrong('refused-values-422') else 400, 'a value was refused'),
    'unknown app': (404 if wrong('unknown-app-404') else 400, 'there is no such app to install'),
    'placeholder': (
        pick(400, (wrong('placeholder-409'), 409), (wrong('placeholder-207'), 207)),
        'a placeholder is left',
    ),
    'not there': (400 if wrong('no-app-400') else 404, 'no such app'),
    'broken': (400 if wrong('broken-app-400') else 404, 'the manifest cannot be read'),
    'not installed': (400 if wrong('not-installed-400') else 404, 'no such app is installed'),
    'undeletable': (502 if wrong('delete-fails-502') else 500, 'the folder could not be deleted'),
    'docker': (500 if wrong('tool-fails-500') else 502, 'docker failed'),
    'update check': (500 if wrong('check-fails-500') else 502, 'the release feed cannot be read'),
    'update running': (423 if wrong('running-423') else 409, 'an update is already running'),
    'update start': (500 if wrong('start-fails-500') else 502, 'the update was not started'),
}


def refused(name: str, reason: object = None) -> Refused:
    status, text = REFUSALS[name]
    return Refused(status, text if reason is None else f'{text}: {reason}')


# Functions that change answers or parts of answers


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


faulty_summary = pick(
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

faulty_entry = pick(
    unchanged,
    (wrong('installed-without-ok'), lambda app: without('ok')(app) if app['ok'] else app),
    (wrong('icon-of-bundle-only'), lambda app: {**app, 'icon_svg': None} if app['ok'] else app),
    (wrong('broken-with-path'), of_broken(changing('name', lambda name: f'./{name}'))),
    (wrong('broken-ok-null'), of_broken(adding(ok=None))),
    (wrong('broken-without-reason'), of_broken(adding(error=''))),
)

faulty_setting = pick(
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

faulty_view = pick(
    unchanged,
    (wrong('view-without-long-text'), without('description_long')),
    (wrong('view-plain-name'), copying('display_name', 'name')),
    (wrong('view-never-installed'), adding(installed=False)),
    (wrong('view-always-installed'), adding(installed=True)),
    (wrong('view-only-filled'), changing('settings', lambda entries: [one for one in entries if one['value']])),
)

faulty_action = pick(
    unchanged,
    (wrong('actions-without-detail'), without('detail')),
)

faulty_image_change = pick(
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
    'getAppSettings': faulty_view,
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


def answer(operation: str, status: int, body: Any) -> Answer:
    """The answer to an operation, as the fault of this process changes it."""
    return FAULTY_STATUSES.get(operation, status), FAULTY_BODIES[operation](body)


# The page


def page_answer(path: str, page: str) -> Answer:
    if wrong('apps-page-500'):
        raise RuntimeError('no page')
    if wrong('page-elsewhere') and path == '/':
        return 302, Page('<html></html>')
    if wrong('page-json') and path == '/':
        return 200, {}
    if (wrong('apps-page-other') and path == '/apps') or (wrong('apps-folder-page-other') and path == '/apps/'):
        return 200, Page('<!doctype html><title>Apps</title>')
    pattern, replacement = FAULTY_PAGE
    return 200, Page(re.sub(pattern, replacement, page, flags=re.IGNORECASE | re.DOTALL))


PAGE_PATHS = pick(
    ('/', '/apps', '/apps/'),
    (wrong('apps-page-404'), ('/', '/apps/')),
    (wrong('apps-folder-page-404'), ('/', '/apps')),
)

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
    (wrong('page-form-of-nothing'), ('const view = await [^\n]*', 'const view = { display_name: name, settings: [] };')),
    (wrong('page-form-of-list'), (r'/api/apps/\$\{name\}/settings`\)', '/api/apps`)')),
    (wrong('page-without-password-fields'), (r"\['password', 'number'\]", "['number']")),
    (wrong('page-without-number-fields'), (r"\['password', 'number'\]", "['password']")),
    (wrong('page-types-as-given'), ('const type = [^\n]*', 'const { type } = setting;')),
    (wrong('page-required-unmarked'), (r"\(setting\.required \? ' \*' : ''\)", "''")),
    (wrong('page-required-never'), ('const required = [^\n]*', 'const required = false;')),
    (wrong('page-required-in-edit'), ('installing && setting.required', 'setting.required')),
    (wrong('page-blank-passwords'), (r"const sent = [^\n]*", 'const sent = inputs;')),
    (wrong('page-never-new-passwords'), (r" \|\| one\.value !== ''", '')),
    (wrong('page-install-without-settings'), ('{ name, settings }', '{ name }')),
    (wrong('page-install-flat'), ('{ name, settings }', '{ name, ...settings }')),
    (wrong('page-install-elsewhere'), (r"'/api/apps/install', \{ name, settings", '`/api/apps/${name}/install`, { name, settings')),
    (wrong('page-edit-with-name'), (r'settings`, \{ settings \}', 'settings`, { name, settings }')),
    (wrong('page-edit-as-install'), (r'send\(`/api/apps/\$\{name\}/settings`', "send('/api/apps/install'")),
    (wrong('page-reinstall-with-settings'), (r'install\', \{ name: app\.name', "install', { settings: {}, name: app.name")),
    (wrong('page-reinstall-elsewhere'), (r"'/api/apps/install', \{ name: app", '`/api/apps/${app.name}/reinstall`, { name: app')),
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
    (wrong('page-never-done'), (r"\[state\.stage, ", "[state.stage === 'rolled_back' ? 'rolled back' : 'under way', ")),
    (wrong('page-never-rolled-back'), (r"\[state\.stage, state\.reason\]", "[state.stage === 'done' ? 'done' : 'under way']")),
    (wrong('page-asks-once'), (r'setTimeout\(follow, 1000\)', '0')),
)
