"""The gateway's refusals, its endpoints, and how it reads a body."""

import re
import urllib.parse
from typing import Any

from faults import CLIENT, FAULT, wrong
from serving import Answer, Refused, Request, read_json

# Refusals: status and text

NOT_FOUND = (
    400 if wrong('not-found-400') else 404,
    'Not found' if wrong('not-found-text') else 'not found',
)
MISSING_TOKEN = (
    403 if wrong('missing-token-403') else 401,
    'no bearer token' if wrong('missing-token-text') else 'missing bearer token',
)
INVALID_TOKEN = (
    403 if wrong('invalid-token-403') else 401,
    'unknown box token' if wrong('invalid-token-text') else 'invalid or expired box token',
)
OTHER_BOX = (
    404 if wrong('other-box-404') else 403,
    'not your box' if wrong('other-box-text') else 'token does not authorize this box',
)
REGISTRATION_FIELDS = (
    422 if wrong('registration-fields-422') else 400,
    'fields are missing' if wrong('registration-fields-text') else 'registration_token and box_name are required',
)
REGISTRATION_TOKEN = (
    403 if wrong('registration-token-403') else 401,
    'wrong registration token' if wrong('registration-token-text') else 'invalid registration token',
)
BOX_LIMIT = (
    429 if wrong('box-limit-429') else 403,
    'too many boxes' if wrong('box-limit-text') else 'box limit exceeded for this account',
)
ROUTE_FIELDS = (
    422 if wrong('route-fields-422') else 400,
    'fields are missing' if wrong('route-fields-text') else 'app_name, subdomain, and port are required',
)
SUBDOMAIN_TAKEN = (
    400 if wrong('subdomain-taken-400') else 409,
    'subdomain taken' if wrong('subdomain-taken-text') else 'subdomain already in use',
)
ROUTE_LIMIT = (
    409 if wrong('route-limit-409') else 403,
    'too many routes' if wrong('route-limit-text') else 'route limit exceeded for this box',
)
INVALID_ROUTE = 422 if wrong('invalid-route-422') else 400
ROUTE_NOT_FOUND = (
    400 if wrong('route-not-found-400') else 404,
    'no such route' if wrong('route-not-found-text') else 'route not found',
)


# The endpoints


def make_answer(gateway: Any):
    def answer(request: Request) -> Answer:
        method, path = request.method, request.path
        if FAULT:
            CLIENT.request, path = request, changed_path(path)
        if wrong('put-is-post') and method == 'PUT':
            method = 'POST'
        if wrong('head-is-get') and method == 'HEAD':
            method = 'GET'
        if wrong('get-is-post') and method == 'GET' and path.startswith('/v1/boxes/'):
            method = 'POST'
        if wrong('delete-deregisters') and method == 'DELETE' and re.fullmatch('/v1/boxes/[^/]+', path):
            method, path = 'POST', f'{path}/deregister'
        route = (method, path)
        if route == ('GET', '/healthz'):
            return health(request)
        if route == ('GET', '/v1/accounts') and wrong('accounts-endpoint'):
            return 200, {'accounts': []}
        if route == ('POST', '/v1/boxes/register'):
            if wrong('registration-needs-bearer') and 'Authorization' not in request.headers:
                raise Refused(*MISSING_TOKEN)
            if wrong('registration-refuses-bearer') and 'Authorization' in request.headers:
                raise Refused(*INVALID_TOKEN)
            return gateway.register(read_body(request))
        if route == ('GET', '/v1/routes'):
            box = gateway.authenticate(request)
            if wrong('list-shows-token'):
                status, body = gateway.list_routes(box)
                return status, {**body, 'token': request.headers['Authorization'].split()[-1]}
            return gateway.list_routes(box)
        if route == ('POST', '/v1/routes'):
            return gateway.publish(gateway.authenticate(request), read_body(request))
        segment = '(.+)' if wrong('slash-in-id') else '([^/]+)'
        action = re.fullmatch(f'POST /v1/boxes/{segment}/(heartbeat|rotate-token|deregister)', ' '.join(route))
        if action is not None:
            box = gateway.authenticate(request)
            if wrong('body-required') and not read_body(request):
                raise Refused(400, 'a body is required')
            return gateway.box_action(box, action[1], action[2])
        removal = re.fullmatch(f'DELETE /v1/routes/{segment}', ' '.join(route))
        if removal is not None:
            box = gateway.authenticate(request)
            if wrong('body-required') and not read_body(request):
                raise Refused(400, 'a body is required')
            return gateway.unpublish(box, removal[1])
        if wrong('wrong-method-405') and path in ('/healthz', '/v1/routes'):
            raise Refused(405, 'method not allowed')
        if wrong('not-found-needs-token'):
            gateway.authenticate(request)
        raise Refused(*NOT_FOUND)

    return answer


def changed_path(path: str) -> str:
    """The path as a faulty gateway sees it."""
    if wrong('paths-without-case'):
        return path.lower()
    if wrong('paths-decoded'):
        return urllib.parse.unquote(path)
    if wrong('final-slash-ignored'):
        return path.rstrip('/')
    if wrong('version-optional') and path.startswith(('/routes', '/boxes')):
        return f'/v1{path}'
    if wrong('health-with-version') and path == '/v1/healthz':
        return '/healthz'
    return path


def health(request: Request) -> Answer:
    if wrong('health-needs-token') and 'Authorization' not in request.headers:
        raise Refused(*MISSING_TOKEN)
    return 200, {'status': 'OK' if wrong('health-in-capitals') else 'ok'}


def read_body(request: Request) -> dict[str, Any]:
    """The body as an object; anything else counts as an empty object."""
    text = request.body
    if wrong('length-required') and 'Content-Length' not in request.headers:
        raise Refused(411, 'a Content-Length is required')
    if wrong('empty-body-400') and text == b'':
        raise Refused(400, 'a body is required')
    if wrong('text-after-json-ignored'):
        text = text[: text.rfind(b'}') + 1]
    if wrong('array-of-one') and text.startswith(b'[{'):
        text = text[1:-1]
    if wrong('body-not-utf-8'):
        text = text.decode('utf-8', 'replace').encode()
    try:
        body = read_json(text)
    except ValueError:
        if wrong('form-is-an-object'):
            return dict(urllib.parse.parse_qsl(text.decode('utf-8', 'replace')))
        if wrong('invalid-json-text') and text != b'':
            raise Refused(400, 'the body is not JSON')
        return {}
    if wrong('no-object-text') and not isinstance(body, dict):
        raise Refused(400, 'the body is not an object')
    if wrong('keys-without-case') and isinstance(body, dict):
        return {key.lower(): value for key, value in body.items()}
    return body if isinstance(body, dict) else {}
