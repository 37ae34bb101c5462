/**
 * The story of a client that refuses every response that does not have the form of the document. It runs against
 * boxgate and against implementations that send only what the requirements ask for.
 */
import assert from 'node:assert/strict';
import { createApiClient as createBoxClient } from './box.ts';
import { createApiClient as createGatewayClient } from './gateway.ts';

const variable = (name) => process.env[name] ?? assert.fail(`${name} is not set`);
const hasError = (actions) => actions.some(({ kind }) => kind === 'error');

/** Verifies that a request is refused with the error of the document. */
async function refused(status, answer) {
  const error = await answer.then(
    () => assert.fail(`expected ${status}`),
    (error) => error,
  );
  assert.equal(error.response?.status, status, error);
  assert.equal(typeof error.response.data.error, 'string');
}

async function useBox() {
  const box = createBoxClient(variable('BOX_URL'));
  const [broken] = await box.listApps();
  assert.equal(broken.ok, false);
  assert.deepEqual((await box.listBundledApps()).map(({ name }) => name).sort(), ['notes', 'unlucky']);
  const params = { name: 'notes' };
  assert.equal((await box.getAppSettings({ params })).settings.length, 2);
  const settings = { NOTES_PORT: '8230', NOTES_PASSWORD: 'kettle-42-lamp' };
  assert.equal(hasError((await box.installApp({ name: 'notes', settings })).actions), false);
  // Its container ends at once. Not every implementation waits for that.
  await box.installApp({ name: 'unlucky' });
  assert.deepEqual(
    (await box.listApps()).map(({ ok }) => ok),
    [true, false, true],
  );
  assert.equal((await box.updateApp(undefined, { params })).updated, false);
  assert.equal((await box.updateAppSettings({ settings: { NOTES_PORT: '8231' } }, { params })).updated, 'notes');
  assert.equal((await box.getSelfUpdateStatus()).stage, undefined);
  await refused(404, box.getAppSettings({ params: { name: 'unknown' } }));
  await refused(400, box.installApp({ name: 'unknown' }));
  for (const name of ['notes', 'unlucky']) assert.equal((await box.removeApp({ name })).removed, name);
}

async function useGateway() {
  const gateway = createGatewayClient(variable('GATEWAY_URL'));
  assert.equal((await gateway.getHealth()).status, 'ok');
  const registration = { registration_token: variable('REGISTRATION_TOKEN'), box_name: 'attic' };
  const registered = await gateway.registerBox(registration);
  await refused(401, gateway.registerBox({ ...registration, registration_token: 'wrong' }));
  // The requirements do not name the fields of this result: another gateway has the id inside of `box`.
  const params = { box_id: registered.box_id ?? registered.box.id };
  const withToken = (token) => ({ headers: { Authorization: `Bearer ${token}` } });
  const old = withToken(registered.box_token);
  assert.equal((await gateway.heartbeatBox(undefined, { ...old, params })).status, 'ok');
  const route = { app_name: 'notes', subdomain: 'notes', port: 8230 };
  await gateway.publishRoute(route, old);
  await refused(409, gateway.publishRoute(route, old));
  const { routes } = await gateway.listRoutes(old);
  assert.equal(routes.length, 1);
  assert.equal((await gateway.unpublishRoute(undefined, { ...old, params: { route_id: routes[0].id } })).status, 'ok');
  const rotated = await gateway.rotateBoxToken(undefined, { ...old, params });
  await refused(401, gateway.listRoutes(old));
  const current = withToken(rotated.box_token);
  assert.equal((await gateway.deregisterBox(undefined, { ...current, params })).status, 'ok');
}

await useBox();
await useGateway();
