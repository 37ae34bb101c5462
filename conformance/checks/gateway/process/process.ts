import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { hasEnded, until } from '../../../kernel/observe.ts';
import { acceptsConnections } from '../../../kernel/subject.ts';
import { endsOnTakenPort, endsWithOpenConnection, exitStatus } from '../../process.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { GatewayContext } from '../context.ts';

/** Verifies that requests of all kinds leave no lines but those of changes. */
async function logsNoRequests(gateway: GatewayContext): Promise<void> {
  const subject = await gateway.start();
  await until('the ready line', () => subject.stdout().includes('\n'));
  const [first, other] = [await gateway.box(), await gateway.box()];
  const before: [string, string] = [subject.stdout(), subject.stderr()];
  await gateway.list(other);
  await gateway.heartbeat(other);
  await gateway.get('/healthz');
  equal('what plain requests leave', [subject.stdout(), subject.stderr()], before);
  const box = await rotated(gateway, first);
  const route = await gateway.route(box);
  for (const path of ['/nowhere', '/v1/routes']) await gateway.get(path);
  await gateway.get('/v1/routes', bearer('nonsense'));
  await gateway.post('/v1/routes', '{', bearer(box.token));
  await gateway.register({ registration_token: 'wrong' });
  refused(await gateway.publish(box, { subdomain: route.subdomain }), 409);
  refused(await gateway.publish(box, { port: 0 }), 400);
  refused(await gateway.rotate({ ...box, id: other.id }), 403);
  refused(await gateway.unpublish(other, route.id), 404);
  status(await gateway.unpublish(box, route.id), 200);
  status(await gateway.deregister(box), 200);
  await gateway.stop();
  equal('standard output', subject.stdout(), before[0]);
  const added = subject.stderr().slice(before[1].length);
  equal('a line on standard error that names a path', /\/v1\/|\/nowhere/.exec(added)?.[0] ?? null, null);
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/process/ready-line',
    ['gateway/process/3', 'gateway/process/4'],
    'prints one line with the real port when it is ready, and nothing else on standard output',
    async (gateway) => {
      const subject = await gateway.start({ port: 0 });
      status(await gateway.get('/healthz'), 200);
      refused(await gateway.get('/nowhere'), 404);
      await gateway.box();
      equal('standard output', subject.stdout(), `listening on http://127.0.0.1:${subject.port}\n`);
    },
  ),
  check(
    'gateway/process/no-access-log',
    ['gateway/service/20', 'gateway/process/4'],
    'writes no line for a read or a refused request, and no path for a change',
    logsNoRequests,
  ),
  check('gateway/process/warnings', ['gateway/process/24'], 'reports no fault on standard output', async (gateway) => {
    const subject = await gateway.start();
    gateway.environment.manager.faults.script({ kind: 'html', on: 'any', times: 1000 });
    refused(await gateway.register(), 502);
    gateway.environment.manager.faults.clear();
    await until('the ready line', () => subject.stdout().includes('\n'));
    const { port } = subject;
    equal('standard output', subject.stdout(), `listening on http://127.0.0.1:${port}\n`);
  }),
  check(
    'gateway/process/port-taken',
    ['gateway/process/21'],
    'exits with status 1 and one line if its port is taken',
    (gateway) => endsOnTakenPort(gateway, 'GATEWAY_PORT'),
  ),
  ...(['SIGTERM', 'SIGINT'] as const).map((signal) =>
    check<GatewayContext>(
      `gateway/process/${signal.toLowerCase()}`,
      [signal === 'SIGTERM' ? 'gateway/process/22' : 'gateway/process/23'],
      `on ${signal} finishes pending requests, stops accepting connections and exits with 0`,
      async (gateway) => {
        const subject = await gateway.start();
        const { manager } = gateway.environment;
        manager.faults.script({ kind: 'slow', on: 'create', delayMs: 10_000 });
        const answer = gateway.register();
        const isAnswered = hasEnded(answer);
        await until('the registration is under way', () => manager.log().some((entry) => entry.operation === 'create'));
        subject.signal(signal);
        await until('it accepts no more', async () => !(await acceptsConnections('127.0.0.1', subject.port)));
        ensure('it accepts no more before it has finished', !isAnswered());
        // A gateway that does not wait long enough has ended by then.
        const early = await subject.waitForEnd(2000);
        ensure('it runs as long as the registration does', early === null || isAnswered(), early);
        manager.faults.clear();
        status(await answer, 201);
        equal('exit status', await exitStatus(subject), 0);
        equal('peers', manager.clients().length, 1);
      },
    ),
  ),
  check(
    'gateway/process/idle-connection',
    ['gateway/process/22'],
    'exits on SIGTERM although a client keeps a connection open',
    (gateway) => endsWithOpenConnection(gateway, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
  ),
  check(
    'gateway/process/secrets',
    ['should/gateway/20'],
    'shows no secret on its outputs, nor in responses that do not issue it',
    async (gateway) => {
      const { environment } = gateway;
      const subject = await gateway.start();
      const box = await gateway.box();
      const answers = [
        await gateway.route(box).then((route) => route.answer),
        await gateway.list(box),
        await gateway.heartbeat(box),
        await gateway.register({ registration_token: `${environment.registrationToken}x` }),
        await gateway.register({ box_name: 'tab\t' }),
      ];
      environment.manager.faults.script({ kind: 'html', on: 'any', times: 1000 });
      answers.push(await gateway.register());
      environment.manager.faults.clear();
      await environment.manager.stop();
      answers.push(await gateway.register(), await gateway.deregister(box));
      await gateway.stop();
      const key = /PrivateKey = (\S+)/.exec(JSON.stringify(box.answer.json))?.[1]?.replace(/\\n.*/, '') ?? 'no key';
      const secrets = {
        registration: environment.registrationToken,
        manager: environment.manager.password,
        box: box.token,
        key,
      };
      for (const [name, secret] of Object.entries(secrets)) {
        ensure(`the ${name} secret is one`, secret.length > 10);
        const places = [
          ...answers.map((answer) => `${answer.text}${JSON.stringify(answer.headers)}`),
          subject.stdout(),
          subject.stderr(),
        ];
        equal(`places that show the ${name} secret`, places.filter((place) => place.includes(secret)).length, 0);
      }
    },
  ),
];
