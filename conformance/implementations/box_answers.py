"""The box's refusals: status and text of each."""

from faults import pick, wrong
from serving import Refused

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
