import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import type { Exchange } from '../../../kernel/exchange.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { startExpectingExit } from '../../../kernel/process.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { needsOwnStore } from '../shared-fixture.ts';
import { filesBelow, isDatabase } from './store-folder.ts';

/** Opens the store in this process, like a program of the operator. */
async function openStore(gateway: GatewayContext) {
  const [file] = filesBelow(gateway.environment.stateDir).filter(isDatabase);
  if (file === undefined) throw new NotApplicable('the store is no database of SQLite');
  const { DatabaseSync } = await import('node:sqlite');
  return new DatabaseSync(file, { timeout: 10_000 });
}

/** Blocks all writers. Not applicable if the gateway lets no other program in. */
function lock(database: { exec: (statement: string) => void }): void {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    throw new NotApplicable(`no other program can lock the store: ${String(error)}`);
  }
}

/** Runs `work` while another connection blocks all writers of the store. */
async function whileLocked<T>(gateway: GatewayContext, work: () => Promise<T>): Promise<T> {
  const database = await openStore(gateway);
  try {
    lock(database);
    return await work();
  } finally {
    database.close();
  }
}

/** Tries all changes while the store cannot be written, and verifies the responses. Then all changes work. */
async function recovers(gateway: GatewayContext, verify: (answer: Exchange) => void): Promise<void> {
  needsOwnStore(gateway);
  const { manager } = gateway.environment;
  const boxes = [await gateway.box(), await gateway.box(), await gateway.box()] as const;
  const [publisher, rotator, leaver] = boxes;
  const routes = [await gateway.route(publisher), await gateway.route(leaver)] as const;
  const hosts = routes.map((route) => route.host);
  const subdomain = gateway.label();
  await whileLocked(gateway, async () => {
    const answers = await Promise.all([
      gateway.register(),
      gateway.publish(publisher, { subdomain }),
      gateway.unpublish(publisher, routes[0].id),
      gateway.rotate(rotator),
      gateway.deregister(leaver),
    ]);
    for (const answer of answers) verify(answer);
    equal('routes', (await gateway.routes(publisher)).length, 1);
  });
  await serves(gateway, hosts);
  await until('each box has its peer', () => manager.clients().length === 3);
  for (const box of boxes) status(await gateway.heartbeat(box), 200);
  status(await gateway.publish(publisher, { subdomain }), 201);
  status(await gateway.unpublish(publisher, routes[0].id), 200);
  await rotated(gateway, rotator);
  status(await gateway.deregister(leaver), 200);
  refused(await gateway.heartbeat(leaver), 401);
  await gateway.box();
  await serves(gateway, [`${subdomain}.${gateway.environment.domain}`]);
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/store/unwritable-for-a-while',
    ['should/gateway/554'],
    'changes nothing while the store cannot be written, and everything afterwards',
    (gateway) => recovers(gateway, (answer) => ensure('an error', answer.status >= 500, answer.status)),
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/store/is-other-file',
    ['should/gateway/126'],
    'does not change its file if that is not a store',
    async (gateway) => {
      needsOwnStore(gateway);
      const file = join(gateway.environment.root, 'letters.txt');
      const letters = 'Dear harbourmaster, '.repeat(400);
      writeFileSync(file, letters);
      await startExpectingExit(gateway.start, { env: { GATEWAY_STORE: `file:${file}` } });
      equal('what the file holds', readFileSync(file, 'utf8'), letters);
    },
  ),
];
