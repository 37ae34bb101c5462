"""The box's refusals: status and text of each."""

from serving import Refused

REFUSALS = {
    'not found': (404, 'not found'),
    'no JSON': (400, 'invalid JSON body'),
    'no object': (400, 'body must be a JSON object'),
    'app name': (400, 'invalid app name'),
    'name': (400, "missing or empty 'name' field"),
    'settings of a change': (400, "missing or invalid 'settings' object"),
    'settings of an install': (400, "'settings' must be an object"),
    'values': (400, 'a value was refused'),
    'unknown app': (400, 'there is no such app to install'),
    'placeholder': (400, 'a placeholder is left'),
    'not there': (404, 'no such app'),
    'broken': (404, 'the manifest cannot be read'),
    'not installed': (404, 'no such app is installed'),
    'undeletable': (500, 'the folder could not be deleted'),
    'docker': (502, 'docker failed'),
    'update check': (502, 'the release feed cannot be read'),
    'update running': (409, 'an update is already running'),
    'update start': (502, 'the update was not started'),
}


def refused(name: str, reason: object = None) -> Refused:
    status, text = REFUSALS[name]
    return Refused(status, text if reason is None else f'{text}: {reason}')
