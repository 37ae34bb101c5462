"""Uses a box and a gateway through the generated clients, and fails if a result is not as expected."""

import os
from typing import TypeVar

import httpx

from boxgate_box import Client as BoxClient
from boxgate_box.api.apps import (
    get_app_settings,
    install_app,
    list_apps,
    list_bundled_apps,
    remove_app,
    update_app,
    update_app_settings,
)
from boxgate_box.api.page import show_page
from boxgate_box.api.self_update import get_self_update_status
from boxgate_box.models import (
    Action,
    BrokenApp,
    InstalledApp,
    InstallRequest,
    RemoveRequest,
    SettingsUpdate,
    SettingValues,
)
from boxgate_box.models import Error as BoxError
from boxgate_box.types import Unset as BoxUnset
from boxgate_gateway import AuthenticatedClient
from boxgate_gateway import Client as GatewayClient
from boxgate_gateway.api.boxes import deregister_box, heartbeat_box, register_box, rotate_box_token
from boxgate_gateway.api.health import get_health
from boxgate_gateway.api.routes import list_routes, publish_route, unpublish_route
from boxgate_gateway.models import Error as GatewayError
from boxgate_gateway.models import PublishRequest, RegisterRequest
from boxgate_gateway.types import Unset as GatewayUnset

Success = TypeVar("Success")
Value = TypeVar("Value")
TIMEOUT = httpx.Timeout(30)


def box_success(parsed: Success | BoxError | None) -> Success:
    assert parsed is not None
    assert not isinstance(parsed, BoxError), parsed.error
    return parsed


def gateway_success(parsed: Success | GatewayError | None) -> Success:
    assert parsed is not None
    assert not isinstance(parsed, GatewayError), parsed.error
    return parsed


def given(value: Value | GatewayUnset) -> Value:
    """A field that boxgate always sends, but not every implementation."""
    assert not isinstance(value, GatewayUnset)
    return value


def has_error(actions: list[Action]) -> bool:
    return any(action.kind == "error" for action in actions)


def settings_of(**values: str) -> SettingValues:
    return SettingValues.from_dict(values)


def describe(entry: InstalledApp | BrokenApp) -> str:
    """Takes an unknown state as something else."""
    if isinstance(entry, BrokenApp):
        return f"{entry.name}: {entry.error}"
    state = entry.state if entry.state == "running" else "something else"
    return f"{entry.display_name} {entry.version}: {state}"


def use_box() -> None:
    with BoxClient(base_url=os.environ["BOX_URL"], timeout=TIMEOUT) as box:
        page = box_success(show_page.sync_detailed(client=box).parsed)
        assert page.payload.read().lower().startswith(b"<!doctype html>")

        (broken,) = box_success(list_apps.sync_detailed(client=box).parsed)
        assert describe(broken).startswith("sketches: manifest.json: "), broken

        bundled = box_success(list_bundled_apps.sync_detailed(client=box).parsed)
        assert sorted(app.name for app in bundled) == ["notes", "unlucky"]

        view = box_success(get_app_settings.sync_detailed("notes", client=box).parsed)
        assert not view.installed
        assert [(setting.name, setting.default) for setting in view.settings] == [
            ("NOTES_PORT", "8230"),
            ("NOTES_PASSWORD", None),
        ]

        values = settings_of(NOTES_PORT="8230", NOTES_PASSWORD="kettle-42-lamp")
        installed = install_app.sync_detailed(client=box, body=InstallRequest(name="notes", settings=values))
        assert installed.status_code == 200
        result = box_success(installed.parsed)
        assert result.installed.endswith("notes")
        assert not has_error(result.actions)

        entry, _ = box_success(list_apps.sync_detailed(client=box).parsed)
        assert describe(entry) in ("Notes 1.4.0: running", "Notes 1.4.0: something else"), entry

        unlucky = install_app.sync_detailed(client=box, body=InstallRequest(name="unlucky"))
        assert unlucky.status_code == 207
        assert has_error(box_success(unlucky.parsed).actions)

        updated = update_app.sync_detailed("notes", client=box)
        assert updated.status_code == 200
        assert box_success(updated.parsed).app == "notes"

        update = SettingsUpdate(settings=settings_of(NOTES_PORT="8231"))
        changed = update_app_settings.sync_detailed("notes", client=box, body=update)
        expected = 207 if has_error(box_success(changed.parsed).actions) else 200
        assert changed.status_code == expected

        for name in ("unlucky", "notes"):
            removed = remove_app.sync_detailed(client=box, body=RemoveRequest(name=name))
            assert removed.status_code == 200
            assert box_success(removed.parsed).removed == name
            assert box_success(removed.parsed).compose_warning is None

        refused = install_app.sync_detailed(client=box, body=InstallRequest(name="sketches"))
        assert refused.status_code == 400
        assert isinstance(refused.parsed, BoxError)
        assert "sketches" in refused.parsed.error

        # A name that a path has to encode.
        missing = get_app_settings.sync_detailed("sketches & böoks", client=box)
        assert missing.status_code == 404
        assert isinstance(missing.parsed, BoxError)
        assert "sketches & böoks" in missing.parsed.error

        status = box_success(get_self_update_status.sync_detailed(client=box).parsed)
        assert isinstance(status.stage, BoxUnset)


def use_gateway() -> None:
    url = os.environ["GATEWAY_URL"]
    with GatewayClient(base_url=url, timeout=TIMEOUT) as anyone:
        assert gateway_success(get_health.sync_detailed(client=anyone).parsed).status == "ok"

        request = RegisterRequest(registration_token=os.environ["REGISTRATION_TOKEN"], box_name="attic")
        registered = register_box.sync_detailed(client=anyone, body=request)
        assert registered.status_code == 201
        box = gateway_success(registered.parsed)
        box_id, token = given(box.box_id), given(box.box_token)
        assert "[Interface]" in given(given(box.tunnel).config)

    with AuthenticatedClient(base_url=url, token=token, timeout=TIMEOUT) as first:
        assert gateway_success(heartbeat_box.sync_detailed(box_id, client=first).parsed).status == "ok"

        route = PublishRequest(app_name="notes", subdomain="notes", port=8230)
        published = publish_route.sync_detailed(client=first, body=route)
        assert published.status_code == 201
        route_id = given(gateway_success(published.parsed).id)

        conflict = publish_route.sync_detailed(client=first, body=route)
        assert conflict.status_code == 409
        assert isinstance(conflict.parsed, GatewayError)
        assert conflict.parsed.error == "subdomain already in use"

        routes = gateway_success(list_routes.sync_detailed(client=first).parsed).routes
        assert [one.id for one in routes] == [route_id]

        withdrawn = unpublish_route.sync_detailed(route_id, client=first)
        assert gateway_success(withdrawn.parsed).status == "ok"

        rotated = gateway_success(rotate_box_token.sync_detailed(box_id, client=first).parsed)
        old_token = list_routes.sync_detailed(client=first)
        assert old_token.status_code == 401
        assert isinstance(old_token.parsed, GatewayError)
        assert old_token.parsed.error == "invalid or expired box token"

    with AuthenticatedClient(base_url=url, token=rotated.box_token, timeout=TIMEOUT) as second:
        deregistered = deregister_box.sync_detailed(box_id, client=second)
        assert gateway_success(deregistered.parsed).status == "ok"
        assert list_routes.sync_detailed(client=second).status_code == 401


use_box()
use_gateway()
