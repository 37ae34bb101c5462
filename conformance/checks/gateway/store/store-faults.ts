import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { ensure, equal, matches, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { startExpectingExit } from '../../../kernel/process.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { GatewayContext } from '../context.ts';
import { servesAtOnce } from '../proxy.ts';
import { needsOwnStore, texts } from '../shared-fixture.ts';
import { filesBelow, isDatabase } from './store-folder.ts';

/** Opens the store in this process, like a program of the operator. */
async function openStore(gateway: GatewayContext) {
  const [file] = filesBelow(gateway.environment.stateDir).filter(isDatabase);
  if (file === undefined) throw new NotApplicable('the store is no database of SQLite');
  const { DatabaseSync } = await import('node:sqlite');
  return new DatabaseSync(file, { timeout: 10_000 });
}

/** Runs `work` while another connection blocks all writers of the store. */
async function whileLocked<T>(gateway: GatewayContext, work: () => Promise<T>): Promise<T> {
  const database = await openStore(gateway);
  try {
    database.exec('BEGIN IMMEDIATE');
    return await work();
  } finally {
    database.close();
  }
}

/** Increases the schema version of the store and returns the new version. */
async function raiseVersion(gateway: GatewayContext, by: number): Promise<unknown> {
  const database = await openStore(gateway);
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").get();
    if (table === undefined) throw new NotApplicable('the store says no version');
    return database.prepare('UPDATE schema_version SET version = version + ? RETURNING version').get(by)?.version;
  } finally {
    database.close();
  }
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/store/cannot-be-written',
    ['choice/gateway/19'],
    'answers 500 to changes while the store cannot be written, changes nothing partly, and recovers',
    async (gateway) => {
      needsOwnStore(gateway);
      const { manager, stateDir } = gateway.environment;
      const boxes = [await gateway.box(), await gateway.box(), await gateway.box()] as const;
      const [publisher, rotator, leaver] = boxes;
      const routes = [await gateway.route(publisher), await gateway.route(leaver)] as const;
      const hosts = routes.map((route) => route.host);
      const { stderr } = gateway.subject();
      const before = stderr();
      const subdomain = gateway.label();
      await whileLocked(gateway, async () => {
        const answers = await Promise.all([
          gateway.register(),
          gateway.publish(publisher, { subdomain }),
          gateway.unpublish(publisher, routes[0].id),
          gateway.rotate(rotator),
          gateway.deregister(leaver),
        ]);
        for (const answer of answers) {
          refused(answer, 500);
          ensure('it is no unknown fault', !/internal error/.test(answer.text), answer.text);
          ensure('no path in the answer', !answer.text.includes(stateDir), answer.text);
        }
        for (const box of boxes) status(await gateway.heartbeat(box), 200);
        equal('routes', (await gateway.routes(publisher)).length, 1);
      });
      await until('the operator hears of it', () => stderr().length > before.length);
      await servesAtOnce(gateway, hosts);
      equal('peers', manager.clients().length, 3);
      for (const box of boxes) status(await gateway.heartbeat(box), 200);
      status(await gateway.publish(publisher, { subdomain }), 201);
      status(await gateway.unpublish(publisher, routes[0].id), 200);
      await rotated(gateway, rotator);
      status(await gateway.deregister(leaver), 200);
      refused(await gateway.heartbeat(leaver), 401, texts.invalidToken);
      await gateway.box();
      await servesAtOnce(gateway, [`${subdomain}.${gateway.environment.domain}`]);
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/store/is-none',
    ['choice/gateway/126'],
    'exits with status 1 and one line if its file is not a store, and does not change it',
    async (gateway) => {
      needsOwnStore(gateway);
      const { root } = gateway.environment;
      const [file, folder] = [join(root, 'letters.txt'), join(root, 'folder.db')];
      const letters = 'Dear harbourmaster, '.repeat(400);
      writeFileSync(file, letters);
      mkdirSync(folder);
      for (const place of [file, join(file, 'below.db'), folder]) {
        const ended = await startExpectingExit(gateway.start, { env: { GATEWAY_STORE: `file:${place}` } });
        equal(`exit status on ${place}`, ended.status, 1);
        matches('one line on standard error', ended.stderr, /^[^\n]*store[^\n]*\n$/);
      }
      equal('what the file holds', readFileSync(file, 'utf8'), letters);
    },
  ),
  check(
    'gateway/store/of-a-later-version',
    ['choice/gateway/127'],
    'exits with status 1 and one line if a later version wrote its store, and does not change it',
    async (gateway) => {
      needsOwnStore(gateway);
      const box = await gateway.box();
      const route = await gateway.route(box);
      await gateway.stop();
      const later = Number(await raiseVersion(gateway, 1));
      const ended = await startExpectingExit(gateway.start, {});
      equal('exit status', ended.status, 1);
      matches('one line on standard error', ended.stderr, /^[^\n]*version[^\n]*\n$/);
      await servesAtOnce(gateway, [route.host]);
      equal('its version', await raiseVersion(gateway, -1), later - 1);
      status(await gateway.heartbeat(box), 200);
      await servesAtOnce(gateway, [route.host]);
    },
  ),
];
