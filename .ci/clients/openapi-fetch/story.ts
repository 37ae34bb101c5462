import assert from 'node:assert/strict';
import type { paths as BoxPaths, components } from 'boxgate/spec/box';
import type { paths as GatewayPaths } from 'boxgate/spec/gateway';
import createClient from 'openapi-fetch';

type Action = components['schemas']['Action'];

function variable(name: string): string {
  return process.env[name] ?? assert.fail(`${name} is not set`);
}

const hasError = (actions: readonly Action[]) => actions.some(({ kind }) => kind === 'error');

async function useBox(): Promise<void> {
  const box = createClient<BoxPaths>({ baseUrl: variable('BOX_URL') });

  const page = await box.GET('/', { parseAs: 'text' });
  assert.match(page.data ?? '', /^<!doctype html>/i);

  const before = await box.GET('/api/apps');
  const broken = before.data?.[0];
  assert(broken !== undefined && 'error' in broken);
  assert.match(broken.error, /^manifest\.json: /);

  const bundled = await box.GET('/api/bundled');
  assert.deepEqual(bundled.data?.map(({ name }) => name).sort(), ['notes', 'unlucky']);

  const path = { name: 'notes' };
  const settings = await box.GET('/api/apps/{name}/settings', { params: { path } });
  assert.equal(settings.data?.installed, false);
  assert.deepEqual(
    settings.data.settings.map(({ name, default: initial }) => [name, initial]),
    [
      ['NOTES_PORT', '8230'],
      ['NOTES_PASSWORD', null],
    ],
  );

  const installed = await box.POST('/api/apps/install', {
    body: { name: 'notes', settings: { NOTES_PORT: '8230', NOTES_PASSWORD: 'kettle-42-lamp' } },
  });
  assert.equal(installed.response.status, 200);
  assert(installed.data !== undefined);
  assert.match(installed.data.installed, /notes$/);
  assert.equal(hasError(installed.data.actions), false);

  const [entry, ...others] = (await box.GET('/api/apps')).data ?? [];
  assert.equal(others.length, 1);
  // Types that the command line generates do not narrow by `ok`.
  assert(entry !== undefined && !('error' in entry));
  assert.equal(entry.version, '1.4.0');
  assert.match(stateForPeople(entry.state), /^(It runs|It does not run|Its state is not known)\.$/);

  const unlucky = await box.POST('/api/apps/install', { body: { name: 'unlucky' } });
  assert.equal(unlucky.response.status, 207);
  assert(unlucky.data !== undefined);
  assert(hasError(unlucky.data.actions));

  const updated = await box.POST('/api/apps/{name}/update', { params: { path } });
  assert.equal(updated.response.status, 200);
  assert.equal(updated.data?.app, 'notes');

  const changed = await box.POST('/api/apps/{name}/settings', {
    params: { path },
    body: { settings: { NOTES_PORT: '8231' } },
  });
  assert(changed.data !== undefined);
  assert.equal(changed.response.status, hasError(changed.data.actions) ? 207 : 200);

  for (const name of ['unlucky', 'notes']) {
    const removed = await box.POST('/api/apps/remove', { body: { name } });
    assert.equal(removed.response.status, 200);
    assert.equal(removed.data?.removed, name);
    assert.equal(removed.data.compose_warning, null);
  }

  const refused = await box.POST('/api/apps/install', { body: { name: 'sketches' } });
  assert.equal(refused.response.status, 400);
  assert.match(refused.error?.error ?? '', /sketches/);

  // A name that a path has to encode.
  const missing = await box.GET('/api/apps/{name}/settings', { params: { path: { name: 'sketches & böoks' } } });
  assert.equal(missing.response.status, 404);
  assert.match(missing.error?.error ?? '', /sketches & böoks/);

  const status = await box.GET('/api/self/update/status');
  assert.equal(status.response.status, 200);
  assert.equal(status.data?.stage, undefined);
}

/** Knows some of the states; every other one, of this version or a later one, is an unknown state. */
function stateForPeople(state?: components['schemas']['AppState']): string {
  if (state === 'running') return 'It runs.';
  return state === 'stopped' || state === 'not_started' ? 'It does not run.' : 'Its state is not known.';
}

async function useGateway(): Promise<void> {
  let token: string | undefined;
  const gateway = createClient<GatewayPaths>({ baseUrl: variable('GATEWAY_URL') });
  gateway.use({
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
    },
  });

  const health = await gateway.GET('/healthz');
  assert.equal(health.data?.status, 'ok');

  const registered = await gateway.POST('/v1/boxes/register', {
    body: { registration_token: variable('REGISTRATION_TOKEN'), box_name: 'attic' },
  });
  assert.equal(registered.response.status, 201);
  assert(registered.data !== undefined);
  assert.match(registered.data.tunnel?.config ?? '', /\[Interface\]/);
  token = registered.data.box_token;
  const path = { box_id: registered.data.box_id ?? assert.fail('the gateway shows no id of the box') };

  const alive = await gateway.POST('/v1/boxes/{box_id}/heartbeat', { params: { path } });
  assert.equal(alive.data?.status, 'ok');

  const body = { app_name: 'notes', subdomain: 'notes', port: 8230 };
  const published = await gateway.POST('/v1/routes', { body });
  assert.equal(published.response.status, 201);
  assert.equal(published.data?.subdomain, 'notes');

  const conflict = await gateway.POST('/v1/routes', { body });
  assert.equal(conflict.response.status, 409);
  assert.equal(conflict.error?.error, 'subdomain already in use');

  const list = await gateway.GET('/v1/routes');
  assert.deepEqual(
    list.data?.routes.map(({ id }) => id),
    [published.data?.id],
  );

  const { id: route_id = '' } = published.data ?? {};
  const withdrawn = await gateway.DELETE('/v1/routes/{route_id}', { params: { path: { route_id } } });
  assert.equal(withdrawn.data?.status, 'ok');

  const rotated = await gateway.POST('/v1/boxes/{box_id}/rotate-token', { params: { path } });
  assert(rotated.data !== undefined);
  const oldToken = await gateway.GET('/v1/routes');
  assert.equal(oldToken.response.status, 401);
  assert.equal(oldToken.error?.error, 'invalid or expired box token');
  token = rotated.data.box_token;

  const deregistered = await gateway.POST('/v1/boxes/{box_id}/deregister', { params: { path } });
  assert.equal(deregistered.data?.status, 'ok');
  const afterwards = await gateway.GET('/v1/routes');
  assert.equal(afterwards.response.status, 401);
}

await useBox();
await useGateway();
