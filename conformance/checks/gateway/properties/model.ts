import fc from 'fast-check';
import { type Check, check } from '../../../kernel/check.ts';
import type { Exchange } from '../../../kernel/exchange.ts';
import { ensure, equal, record } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { commandSeries, holdsForAll, runSeries, type Sample } from '../../../kernel/property.ts';
import type { Caller, GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { findRouteId, learnBox, shownId } from '../results.ts';
import { type Command, emptyGateway, type GatewayModel, isLive, routesOf, step } from './gateway-model.ts';

const places = 3;
const boxLimit = 2;
const routeLimit = 2;
const labels = ['north', 'south', 'east'];

const place = fc.nat(places - 1);
const label = fc.constantFrom(...labels);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('register'), place }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('heartbeat', 'rotate', 'list'), place }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('deregister'), place }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('heartbeatOfOther', 'staleHeartbeat'), place, other: place }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant('publish'), place, label, port: fc.integer({ min: 1, max: 65535 }) }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('unpublish'), place, label }) },
) as fc.Arbitrary<Command>;

/** The real values for the model's places and labels: callers, replaced tokens and route ids. */
type ModelSession = {
  gateway: GatewayContext;
  model: GatewayModel;
  callers: (Caller | null)[];
  stale: string[][];
  routeIds: Map<string, string>;
  subdomain: (label: string) => string;
  /** No command starts after this time. */
  end: number;
};

const nobody: Caller = { id: 'nobody', token: 'nonsense' };

function ask(gateway: GatewayContext, session: ModelSession, one: Command): Promise<Exchange> {
  const caller = session.callers[one.place] ?? nobody;
  switch (one.act) {
    case 'register':
      return gateway.register({ box_name: `place ${one.place}` });
    case 'heartbeat':
    case 'rotate':
    case 'deregister':
    case 'list':
      return gateway[one.act](caller);
    case 'heartbeatOfOther':
      return gateway.heartbeat({ id: session.callers[one.other]?.id ?? 'nobody', token: caller.token });
    case 'staleHeartbeat':
      return gateway.heartbeat({ id: caller.id, token: session.stale[one.other]?.at(-1) ?? 'nonsense' });
    case 'publish':
      return gateway.publish(caller, { subdomain: session.subdomain(one.label), port: one.port });
    case 'unpublish':
      return gateway.unpublish(caller, session.routeIds.get(one.label) ?? 'no-such-route');
  }
}

/** Keeps the ids and tokens of a successful response. */
async function remember(gateway: GatewayContext, session: ModelSession, one: Command, answer: Exchange) {
  if (one.act === 'register' && answer.status === 201) {
    session.callers[one.place] = await learnBox(gateway, record(answer));
  }
  if (one.act === 'rotate' && answer.status === 200) {
    const old = session.callers[one.place] ?? nobody;
    session.stale[one.place]?.push(old.token);
    session.callers[one.place] = { id: old.id, token: String(record(answer).box_token) };
  }
  if (one.act === 'publish' && answer.status === 201) {
    const asked = { result: record(answer), subdomain: session.subdomain(one.label) };
    session.routeIds.set(one.label, shownId(await findRouteId(gateway, session.callers[one.place] ?? nobody, asked)));
  }
}

/** Does not register a second box in the place of a live one, because its token would be lost. */
const makesSense = (session: ModelSession, one: Command) =>
  Date.now() < session.end &&
  (one.act !== 'register' || !isLive(session.model, one.place)) &&
  isDecided(session.model, one);

/** Excludes what the requirements leave open: ids that no box has, routes of a deregistered box, the caller's own subdomain. */
function isDecided(model: GatewayModel, one: Command): boolean {
  const own = routesOf(model, one.place);
  switch (one.act) {
    case 'heartbeatOfOther':
      return isLive(model, one.other);
    case 'deregister':
      return own.length === 0;
    case 'publish':
      return own.every((route) => route.label !== one.label);
    default:
      return true;
  }
}

async function agree(gateway: GatewayContext, session: ModelSession, model: GatewayModel) {
  for (let at = 0; at < places; at += 1) {
    if (!isLive(model, at)) continue;
    const listed = await gateway.routes(session.callers[at] ?? nobody);
    equal(`routes of the box in place ${at}`, listed.length, routesOf(model, at).length);
  }
  await serves(
    gateway,
    model.routes.map((route) => `${session.subdomain(route.label)}.${gateway.environment.domain}`),
  );
  const live = model.boxes.filter((box) => box?.live).length;
  await until(`${live} peers at the manager`, () => gateway.environment.manager.clients().length === live);
}

async function follow(session: ModelSession, one: Command): Promise<void> {
  const { gateway } = session;
  const { allowed, after } = step(session.model, one);
  const answer = await ask(gateway, session, one);
  const asked = JSON.stringify(one);
  ensure(`${asked} is answered with ${allowed.join(' or ')}`, allowed.includes(answer.status), answer.status);
  await remember(gateway, session, one, answer);
  session.model = after;
}

const series = commandSeries<Command, ModelSession>(command, 48, makesSense, follow);

async function drive(gateway: GatewayContext, end: number, commands: Sample<typeof series>) {
  const run = gateway.label();
  const session: ModelSession = {
    gateway,
    model: emptyGateway(boxLimit, routeLimit, places),
    callers: Array.from({ length: places }, () => null),
    stale: Array.from({ length: places }, () => []),
    routeIds: new Map(),
    subdomain: (name) => `${name}-${run}`,
    end,
  };
  try {
    await runSeries(session, commands);
    await agree(gateway, session, session.model);
  } finally {
    await clear(session);
  }
}

/** Removes everything that a series of commands made. */
async function clear({ gateway, model, callers, routeIds }: ModelSession) {
  for (const { place: at, label: name } of model.routes) {
    const caller = callers[at] ?? nobody;
    await gateway.unpublish(caller, routeIds.get(name) ?? 'no-such-route');
  }
  for (const caller of callers) if (caller !== null) await gateway.deregister(caller);
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/model/random-commands',
    [
      'gateway/states/1',
      'gateway/states/3',
      'gateway/states/5',
      'gateway/states/7',
      'gateway/states/9',
      'gateway/states/10',
      'gateway/limits/1',
      'gateway/limits/2',
    ],
    'behaves like a plain model of the requirements under random requests of three boxes',
    async (gateway) => {
      Object.assign(gateway.environment.variables, {
        GATEWAY_BOX_LIMIT: String(boxLimit),
        GATEWAY_ROUTE_LIMIT: String(routeLimit),
      });
      // A slow gateway runs fewer commands.
      const end = Date.now() + 45_000;
      await holdsForAll(gateway, 'the gateway is as the model', series, 15, (commands) =>
        drive(gateway, end, commands),
      );
    },
    { timeoutMs: 120_000 },
  ),
];
