import assert from 'node:assert/strict';
import { client as boxClient } from './client/box/client.gen.js';
import * as box from './client/box/index.js';
import { client as gatewayClient } from './client/gateway/client.gen.js';
import * as gateway from './client/gateway/index.js';

function variable(name: string): string {
  return process.env[name] ?? assert.fail(`${name} is not set`);
}

const hasError = (actions: readonly box.Action[]) => actions.some(({ kind }) => kind === 'error');

async function useBox(): Promise<void> {
  boxClient.setConfig({ baseUrl: variable('BOX_URL') });

  const page = await box.showPage({ parseAs: 'blob' });
  assert.match((await page.data?.text()) ?? '', /^<!doctype html>/i);

  const before = await box.listApps();
  assert.match(before.data?.map(describe).join() ?? '', /^sketches: manifest\.json: [^,]+, [^,]+$/);

  const bundled = await box.listBundledApps();
  assert.deepEqual(bundled.data?.map(({ name }) => name).sort(), ['notes', 'unlucky']);

  const path = { name: 'notes' };
  const settings = await box.getAppSettings({ path });
  assert.equal(settings.data?.installed, false);
  assert.deepEqual(
    settings.data.settings.map(({ name, default: initial }) => [name, initial]),
    [
      ['NOTES_PORT', '8230'],
      ['NOTES_PASSWORD', null],
    ],
  );

  const installed = await box.installApp({
    body: { name: 'notes', settings: { NOTES_PORT: '8230', NOTES_PASSWORD: 'kettle-42-lamp' } },
  });
  assert.equal(installed.response?.status, 200);
  assert(installed.data !== undefined);
  assert.match(installed.data.installed, /notes$/);
  assert.equal(hasError(installed.data.actions), false);

  const [entry, ...others] = (await box.listApps()).data ?? [];
  assert(entry !== undefined);
  assert.equal(others.length, 1);
  assert.match(describe(entry), /^Notes 1\.4\.0: (running|something else)$/);

  const unlucky = await box.installApp({ body: { name: 'unlucky' } });
  assert.equal(unlucky.response?.status, 207);
  assert(unlucky.data !== undefined);
  assert(hasError(unlucky.data.actions));

  const updated = await box.updateApp({ path });
  assert.equal(updated.response?.status, 200);
  assert.equal(updated.data?.app, 'notes');

  const changed = await box.updateAppSettings({ path, body: { settings: { NOTES_PORT: '8231' } } });
  assert(changed.data !== undefined);
  assert.equal(changed.response?.status, hasError(changed.data.actions) ? 207 : 200);

  for (const name of ['unlucky', 'notes']) {
    const removed = await box.removeApp({ body: { name } });
    assert.equal(removed.response?.status, 200);
    assert.equal(removed.data?.removed, name);
    assert.equal(removed.data.compose_warning, null);
  }

  const refused = await box.installApp({ body: { name: 'sketches' } });
  assert.equal(refused.response?.status, 400);
  assert.match(refused.error?.error ?? '', /sketches/);

  // A name that a path has to encode.
  const missing = await box.getAppSettings({ path: { name: 'sketches & böoks' } });
  assert.equal(missing.response?.status, 404);
  assert.match(missing.error?.error ?? '', /sketches & böoks/);

  const status = await box.getSelfUpdateStatus();
  assert.equal(status.response?.status, 200);
  assert.equal(status.data?.stage, undefined);
}

/** Compiles only if the field `error` narrows an entry. Takes an unknown state as something else. */
function describe(entry: box.InstalledEntry): string {
  // @ts-expect-error Without a test of `error`, the entry may be a broken app, which has no version.
  entry.version satisfies string;
  if ('error' in entry) return `${entry.name}: ${entry.error}`;
  entry satisfies box.InstalledApp;
  const state = entry.state === 'running' ? entry.state : 'something else';
  return `${entry.display_name} ${entry.version}: ${state}`;
}

async function useGateway(): Promise<void> {
  let token: string | undefined;
  gatewayClient.setConfig({ baseUrl: variable('GATEWAY_URL'), auth: () => token });

  const health = await gateway.getHealth();
  assert.equal(health.data?.status, 'ok');

  const registered = await gateway.registerBox({
    body: { registration_token: variable('REGISTRATION_TOKEN'), box_name: 'attic' },
  });
  assert.equal(registered.response?.status, 201);
  assert(registered.data !== undefined);
  assert.match(registered.data.tunnel?.config ?? '', /\[Interface\]/);
  token = registered.data.box_token;
  const path = { box_id: registered.data.box_id ?? assert.fail('the gateway shows no id of the box') };

  const alive = await gateway.heartbeatBox({ path });
  assert.equal(alive.data?.status, 'ok');

  const body = { app_name: 'notes', subdomain: 'notes', port: 8230 };
  const published = await gateway.publishRoute({ body });
  assert.equal(published.response?.status, 201);
  assert.equal(published.data?.subdomain, 'notes');

  const conflict = await gateway.publishRoute({ body });
  assert.equal(conflict.response?.status, 409);
  assert.equal(conflict.error?.error, 'subdomain already in use');

  const list = await gateway.listRoutes();
  assert.deepEqual(
    list.data?.routes.map(({ id }) => id),
    [published.data?.id],
  );

  const withdrawn = await gateway.unpublishRoute({ path: { route_id: published.data?.id ?? '' } });
  assert.equal(withdrawn.data?.status, 'ok');

  const rotated = await gateway.rotateBoxToken({ path });
  assert(rotated.data !== undefined);
  const oldToken = await gateway.listRoutes();
  assert.equal(oldToken.response?.status, 401);
  assert.equal(oldToken.error?.error, 'invalid or expired box token');
  token = rotated.data.box_token;

  const deregistered = await gateway.deregisterBox({ path });
  assert.equal(deregistered.data?.status, 'ok');
  const afterwards = await gateway.listRoutes();
  assert.equal(afterwards.response?.status, 401);
}

await useBox();
await useGateway();
