import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import type { Exchange } from '../../../kernel/exchange.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { startExpectingExit } from '../../../kernel/process.ts';
import { limitFiles } from '../../limit-files.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { learnBox } from '../results.ts';
import { needsOwnStore } from '../shared-fixture.ts';
import { filesBelow } from './store-folder.ts';

/** The answer to a change while the store cannot be written. `unknown`: the gateway died of it. */
type Tried = { answer: Exchange | null; state: 'done' | 'failed' | 'unknown' };

async function tryTo(change: Promise<Exchange>): Promise<Tried> {
  const answer = await change.catch(() => null);
  if (answer === null) return { answer, state: 'unknown' };
  if (answer.status < 300) return { answer, state: 'done' };
  ensure('an error that is not the fault of the client', answer.status >= 500, answer.status);
  return { answer, state: 'failed' };
}

/** Ways to make a store of any form unwritable. Each returns what ends it. */
const obstacles = {
  /** As on a full disk. */
  noFileGrows: (gateway: GatewayContext) => {
    const { pid } = gateway.subject();
    limitFiles(pid, '1:unlimited');
    return async () => {
      if (gateway.subject().ended() === null) limitFiles(pid, 'unlimited');
      else await gateway.start();
    };
  },
  /** A store that keeps its file open may go on. It is killed, so that what it confirmed has to be in the file. */
  foldersInPlaceOfFiles: (gateway: GatewayContext) => {
    const files = filesBelow(gateway.environment.stateDir);
    for (const file of files) {
      renameSync(file, `${file}.away`);
      mkdirSync(join(file, 'in-the-way'), { recursive: true });
    }
    return async () => {
      await gateway.kill();
      for (const file of files) {
        rmSync(file, { recursive: true });
        renameSync(`${file}.away`, file);
      }
      await gateway.start();
    };
  },
};

/**
 * Tries all changes while the store cannot be written. Afterwards, every confirmed change is there, every failed one is
 * not, and all changes work.
 */
async function recovers(gateway: GatewayContext, block: (gateway: GatewayContext) => () => Promise<void>) {
  const { manager, domain } = gateway.environment;
  const before = manager.clients().length;
  const [publisher, rotator, leaver] = [await gateway.box(), await gateway.box(), await gateway.box()] as const;
  const routes = [await gateway.route(publisher), await gateway.route(leaver)] as const;
  const subdomain = gateway.label();
  const unblock = block(gateway);
  const [registered, published, unpublished, rotation, deregistered] = await Promise.all([
    tryTo(gateway.register()),
    tryTo(gateway.publish(publisher, { subdomain })),
    tryTo(gateway.unpublish(publisher, routes[0].id)),
    tryTo(gateway.rotate(rotator)),
    tryTo(gateway.deregister(leaver)),
  ]);
  await unblock();
  /** Verifies the status of a change that is tried again. */
  const again = (what: string, { state }: Tried, answer: Exchange, statuses: { done: number; failed: number }) => {
    const expected = state === 'unknown' ? Object.values(statuses) : [statuses[state]];
    ensure(`${what} again, which ${state === 'done' ? 'was confirmed' : 'failed'}`, expected.includes(answer.status), {
      expected,
      status: answer.status,
    });
  };
  const added = registered.answer?.status === 201 ? await learnBox(gateway, record(registered.answer)) : null;
  if (added !== null) status(await gateway.heartbeat(added), 200);
  again('publishes', published, await gateway.publish(publisher, { subdomain }), { done: 409, failed: 201 });
  again('unpublishes', unpublished, await gateway.unpublish(publisher, routes[0].id), { done: 404, failed: 200 });
  const token = rotation.state === 'done' ? record(rotation.answer as Exchange).box_token : null;
  again('rotates', rotation, await gateway.rotate(rotator), { done: 401, failed: 200 });
  if (token !== null) status(await gateway.deregister({ id: rotator.id, token: String(token) }), 200);
  again('deregisters', deregistered, await gateway.deregister(leaver), { done: 401, failed: 200 });
  refused(await gateway.heartbeat(leaver), 401);
  const fresh = await gateway.box();
  await serves(gateway, [`${subdomain}.${domain}`]);
  // The rotator is left if its token from before was still valid.
  const left = before + (token === null ? 1 : 0);
  const peersAre = (count: number) => until(`${count} boxes have a peer`, () => manager.clients().length === count);
  if (registered.state !== 'unknown') await peersAre(left + (added === null ? 2 : 3));
  for (const box of [publisher, fresh, ...(added === null ? [] : [added])]) {
    status(await gateway.heartbeat(box), 200);
    status(await gateway.deregister(box), 200);
  }
  if (registered.state !== 'unknown') await peersAre(left);
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/store/unwritable-for-a-while',
    ['should/gateway/554'],
    'keeps what it confirmed and nothing else while the store cannot be written, and changes everything afterwards',
    async (gateway) => {
      needsOwnStore(gateway);
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '20';
      await recovers(gateway, obstacles.noFileGrows);
      await recovers(gateway, obstacles.foldersInPlaceOfFiles);
    },
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
