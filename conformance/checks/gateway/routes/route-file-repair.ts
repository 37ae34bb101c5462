import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { CheckFailed, ensure, equal, matches, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { startExpectingExit } from '../../../kernel/process.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { fileOf, pathOf, routeFileStates, routeFiles, servesAtOnce } from '../proxy.ts';
import { needsLastingStore, texts } from '../shared-fixture.ts';

/** Replaces a box's route file by something that is not a file. Returns a function that removes it. */
function blockFile(gateway: GatewayContext, box: LiveBox): () => void {
  const file = pathOf(gateway, box);
  rmSync(file);
  mkdirSync(join(file, 'within'), { recursive: true });
  return () => rmSync(file, { recursive: true });
}

/** Waits until a failed retry is logged, or for the time of a retry if the gateway logs nothing. */
async function hasTriedAgain(stderr: () => string, before: string, lines: number): Promise<void> {
  const more = () => stderr().slice(before.length).split('\n').length - 1;
  await until('a further try', () => more() >= lines, 9000).catch((error: unknown) => {
    if (!(error instanceof CheckFailed)) throw error;
  });
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/tried-again',
    ['choice/gateway/89', 'choice/gateway/116'],
    'retries files that it could not change, and only then removes the peer of a deregistered box',
    async (gateway) => {
      const { manager } = gateway.environment;
      const [gone, stays] = [await gateway.box(), await gateway.box()];
      await gateway.route(gone);
      const [taken, kept] = [await gateway.route(stays), await gateway.route(stays)];
      const unblock = [gone, stays].map((box) => blockFile(gateway, box));
      status(await gateway.deregister(gone), 200);
      refused(await gateway.unpublish(stays, taken.id), 500);
      const listed = (await gateway.routes(stays)).map((route) => route.id);
      equal('the routes', listed, [kept.id]);
      refused(await gateway.unpublish(stays, taken.id), 404, texts.route);
      const { stderr } = gateway.subject();
      await hasTriedAgain(stderr, stderr(), 3);
      equal('peers', manager.clients().length, 2);
      for (const letGo of unblock) letGo();
      await until('the file is right', () => routeFiles(gateway).includes(fileOf(stays)), 40_000);
      await servesAtOnce(gateway, [kept.host]);
      await until('the peer is removed', () => manager.clients().length === 1, 40_000);
      equal('the other peer', manager.clients()[0]?.id, stays.peer().id);
      status(await gateway.unpublish(stays, kept.id), 200);
      equal('files', routeFiles(gateway), []);
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/route-files/start-cannot-mend',
    ['choice/gateway/574'],
    'does not start if it cannot update a file: exit status 1 and one line',
    async (gateway) => {
      needsLastingStore(gateway);
      const [box, other] = [await gateway.box(), await gateway.box()];
      const [route, another] = [await gateway.route(box), await gateway.route(other)];
      await gateway.stop();
      const unblock = blockFile(gateway, box);
      const before = routeFileStates(gateway);
      const ended = await startExpectingExit(gateway.start, {});
      equal('exit status', ended.status, 1);
      matches('one line', ended.stderr, /^[^\n]+\n$/);
      equal('the other file', routeFileStates(gateway), before);
      unblock();
      await gateway.start();
      await servesAtOnce(gateway, [route.host, another.host]);
    },
  ),
  check(
    'gateway/route-files/no-place-to-write',
    ['choice/gateway/88', 'choice/gateway/89', 'choice/gateway/93'],
    'answers 201 to a publication only when the file exists, even if the sub-directory for its writes is missing',
    async (gateway) => {
      const { routesDir, root } = gateway.environment;
      const box = await gateway.box();
      const first = await gateway.route(box);
      const folders = readdirSync(routesDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      ensure('there is a sub-directory', folders.length > 0);
      for (const { name } of folders) renameSync(join(routesDir, name), join(root, `away${name}`));
      const subdomain = gateway.label();
      const answer = await gateway.publish(box, { subdomain });
      const isThere = answer.status === 201;
      if (!isThere) refused(answer, 500);
      const hosts = [first.host, ...(isThere ? [`${subdomain}.${gateway.environment.domain}`] : [])];
      equal('routes', (await gateway.routes(box)).length, hosts.length);
      await servesAtOnce(gateway, hosts);
    },
  ),
  check(
    'gateway/route-files/address-of-another',
    ['choice/gateway/117'],
    'withdraws the routes of a box whose tunnel address was reassigned, and names that box to the operator',
    async (gateway) => {
      const { manager } = gateway.environment;
      const [old, bystander] = [await gateway.box(), await gateway.box()];
      const routes = [await gateway.route(old), await gateway.route(bystander)] as const;
      // Ignores the journal, whose lines may be written after the response.
      const isWarning = (line: string) => !/ \((?:by|from) \S+\)$/.test(line);
      const said = () => gateway.subject().stderr().split('\n').filter(isWarning).join('\n');
      manager.remove(old.peer().id);
      const late = await gateway.box();
      equal('the address', late.peer().address, old.peer().address);
      await servesAtOnce(gateway, [routes[1].host]);
      await until('the operator hears of it', () => said().includes(old.id));
      ensure('of no other box', !said().includes(bystander.id), said());
      equal('what it has published', (await gateway.routes(old)).length, 1);
      status(await gateway.publish(old), 201);
      const fresh = await gateway.route(late);
      const hosts = [routes[1].host, fresh.host];
      await servesAtOnce(gateway, hosts);
      if (gateway.environment.store !== 'memory') {
        await gateway.restart();
        await servesAtOnce(gateway, hosts);
      }
      status(await gateway.deregister(old), 200);
      status(await gateway.heartbeat(late), 200);
      await servesAtOnce(gateway, hosts);
    },
  ),
];
