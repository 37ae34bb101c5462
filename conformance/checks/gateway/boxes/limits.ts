import { type Check, check } from '../../../kernel/check.ts';
import { equal, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { hostsOf, serves } from '../proxy.ts';
import { idOfRoute } from '../results.ts';
import { needsLastingStore, texts } from '../shared-fixture.ts';

const limits = (gateway: GatewayContext, boxes: number, routes: number) =>
  Object.assign(gateway.environment.variables, {
    GATEWAY_BOX_LIMIT: String(boxes),
    GATEWAY_ROUTE_LIMIT: String(routes),
  });

/** Counts the successful responses. Every other one has to be 403. */
function won(answers: { status: number; text: string; json: unknown }[]): number {
  for (const answer of answers) if (answer.status !== 201) refused(answer, 403);
  return answers.filter((answer) => answer.status === 201).length;
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/limits/boxes',
    ['gateway/registerBox/6', 'gateway/rules/4', 'gateway/limits/1', 'gateway/process/12', 'gateway/errors/5'],
    'registers as many boxes as the limit allows, and no more',
    async (gateway) => {
      limits(gateway, 3, 20);
      const boxes = [await gateway.box('weir'), await gateway.box('weir'), await gateway.box('mill')] as const;
      for (const box_name of ['weir', 'lock']) refused(await gateway.register({ box_name }), 403, texts.boxLimit);
      equal('peers', gateway.environment.manager.clients().length, 3);
      status(await gateway.deregister(boxes[1]), 200);
      await gateway.box();
      refused(await gateway.register(), 403, texts.boxLimit);
      for (const box of [boxes[0], boxes[2]]) status(await gateway.heartbeat(box), 200);
    },
  ),
  check(
    'gateway/limits/routes',
    ['gateway/publishRoute/7', 'gateway/rules/12', 'gateway/limits/2', 'gateway/process/13', 'gateway/errors/5'],
    'publishes as many routes of a box as the limit allows, and no more, with a separate limit for each box',
    async (gateway) => {
      limits(gateway, 10, 3);
      const [box, other] = [await gateway.box(), await gateway.box()];
      const { subdomain } = await gateway.route(other);
      for (let time = 0; time < 3; time += 1) refused(await gateway.publish(box, { subdomain }), 409, texts.subdomain);
      const mill = { app_name: 'mill', port: 4000 };
      const routes = [await gateway.route(box), await gateway.route(box), await gateway.route(box, mill)] as const;
      for (const fields of [{}, { app_name: 'lock', port: 8080 }])
        refused(await gateway.publish(box, fields), 403, texts.routeLimit);
      for (let time = 0; time < 2; time += 1) await gateway.route(other);
      refused(await gateway.publish(other), 403, texts.routeLimit);
      status(await gateway.unpublish(box, routes[1].id), 200);
      await gateway.route(box);
      refused(await gateway.publish(box), 403, texts.routeLimit);
      equal('routes', [(await gateway.routes(box)).length, (await gateway.routes(other)).length], [3, 3]);
    },
  ),
  check(
    'gateway/limits/survive-restart',
    ['gateway/limits/1', 'gateway/limits/2', 'gateway/states/6'],
    'counts the boxes and routes from before a restart, and removes a peer from before it',
    async (gateway) => {
      needsLastingStore(gateway);
      limits(gateway, 1, 1);
      const box = await gateway.box();
      await gateway.route(box);
      await gateway.restart();
      refused(await gateway.register(), 403, texts.boxLimit);
      refused(await gateway.publish(box), 403, texts.routeLimit);
      const { manager } = gateway.environment;
      status(await gateway.deregister(box), 200);
      await until('the peer from before the restart is removed', () => manager.clients().length === 0);
      await gateway.box();
    },
  ),
  check(
    'gateway/limits/boxes-at-once',
    ['should/gateway/557'],
    'lets exactly as many simultaneous registrations succeed as the limit allows',
    async (gateway) => {
      limits(gateway, 4, 20);
      await gateway.box();
      const answers = await gateway.together(() => Array.from({ length: 9 }, () => gateway.register()));
      equal('how many pass', won(answers), 3);
      equal('peers', gateway.environment.manager.clients().length, 4);
    },
  ),
  check(
    'gateway/limits/routes-at-once',
    ['should/gateway/84'],
    'lets exactly as many simultaneous publications succeed as the limit allows, and serves exactly those',
    async (gateway) => {
      limits(gateway, 10, 5);
      const [box, other] = [await gateway.box(), await gateway.box()];
      await gateway.route(box);
      const answers = await gateway.together(() =>
        Array.from({ length: 12 }, (_, index) => gateway.publish(index % 2 === 0 ? box : other)),
      );
      equal('how many pass', won(answers), 4 + 5);
      equal('routes', [(await gateway.routes(box)).length, (await gateway.routes(other)).length], [5, 5]);
      const hosts = async () =>
        hostsOf([...(await gateway.routes(box)), ...(await gateway.routes(other))], gateway.environment.domain);
      await serves(gateway, await hosts());
      const [gone, ...others] = (await gateway.routes(other)).map(idOfRoute);
      const taken = others.map((id) => gateway.unpublish(other, id));
      for (const answer of await Promise.all(taken)) status(answer, 200);
      await serves(gateway, await hosts());
      status(await gateway.unpublish(other, gone ?? ''), 200);
      await serves(gateway, await hosts());
    },
  ),
  check(
    'gateway/limits/lowered',
    ['should/gateway/86'],
    'keeps existing boxes and routes if a limit is lowered, and only refuses new ones',
    async (gateway) => {
      needsLastingStore(gateway);
      const [box, other] = [await gateway.box(), await gateway.box()];
      await gateway.route(box);
      await gateway.route(box);
      await gateway.stop();
      limits(gateway, 1, 1);
      equal('routes', (await gateway.routes(box)).length, 2);
      status(await gateway.heartbeat(other), 200);
      refused(await gateway.register(), 403);
      refused(await gateway.publish(box), 403);
      await gateway.route(other);
    },
  ),
];
