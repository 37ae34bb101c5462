"""The gateway's refusals, its endpoints, and how it reads a body."""

import re
from typing import Any

from serving import Answer, Refused, Request, read_json

# Refusals: status and text

NOT_FOUND = (404, 'not found')
MISSING_TOKEN = (401, 'missing bearer token')
INVALID_TOKEN = (401, 'invalid or expired box token')
OTHER_BOX = (403, 'token does not authorize this box')
REGISTRATION_FIELDS = (400, 'registration_token and box_name are required')
REGISTRATION_TOKEN = (401, 'invalid registration token')
BOX_LIMIT = (403, 'box limit exceeded for this account')
ROUTE_FIELDS = (400, 'app_name, subdomain, and port are required')
SUBDOMAIN_TAKEN = (409, 'subdomain already in use')
ROUTE_LIMIT = (403, 'route limit exceeded for this box')
INVALID_ROUTE = 400
ROUTE_NOT_FOUND = (404, 'route not found')


# The endpoints


def make_answer(gateway: Any):
    def answer(request: Request) -> Answer:
        method, path = request.method, request.path
        route = (method, path)
        if route == ('GET', '/healthz'):
            return health(request)
        if route == ('POST', '/v1/boxes/register'):
            return gateway.register(read_body(request))
        if route == ('GET', '/v1/routes'):
            box = gateway.authenticate(request)
            return gateway.list_routes(box)
        if route == ('POST', '/v1/routes'):
            return gateway.publish(gateway.authenticate(request), read_body(request))
        segment = '([^/]+)'
        action = re.fullmatch(f'POST /v1/boxes/{segment}/(heartbeat|rotate-token|deregister)', ' '.join(route))
        if action is not None:
            box = gateway.authenticate(request)
            return gateway.box_action(box, action[1], action[2])
        removal = re.fullmatch(f'DELETE /v1/routes/{segment}', ' '.join(route))
        if removal is not None:
            box = gateway.authenticate(request)
            return gateway.unpublish(box, removal[1])
        raise Refused(*NOT_FOUND)

    return answer


def health(request: Request) -> Answer:
    return 200, {'status': 'ok'}


def read_body(request: Request) -> dict[str, Any]:
    """The body as an object; anything else counts as an empty object."""
    text = request.body
    try:
        body = read_json(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
