import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/publishRoute/ok',
    ['gateway/publishRoute/1', 'gateway/rules/11', 'gateway/states/7', 'gateway/service/9', 'gateway/route/1'],
    'answers 201 with an object, and lists the route',
    async (gateway) => {
      const box = await gateway.box();
      const [one, other] = [await gateway.route(box), await gateway.route(box)];
      record(one.answer);
      ensure('ids differ', one.id !== other.id);
      equal('routes', (await gateway.routes(box)).length, 2);
    },
    shared,
  ),
  check(
    'gateway/publishRoute/subdomain-in-use',
    ['gateway/publishRoute/6', 'gateway/errors/7', 'gateway/errors/2'],
    "refuses a subdomain of another box's route, and changes neither",
    async (gateway) => {
      const [box, other] = [await gateway.box(), await gateway.box()];
      const { subdomain } = await gateway.route(other);
      const before = await gateway.routes(other);
      for (const fields of [{ port: 4000 }, { app_name: 'mill', port: 4000 }])
        refused(await gateway.publish(box, { subdomain, ...fields }), 409, texts.subdomain);
      equal('routes', await gateway.routes(box), []);
      equal('routes of the other', await gateway.routes(other), before);
    },
    shared,
  ),
  check(
    'gateway/publishRoute/subdomain-twice',
    ['gateway/publishRoute/6', 'gateway/states/7', 'gateway/states/9'],
    'refuses a subdomain that the box itself uses, until its route is unpublished',
    async (gateway) => {
      const box = await gateway.box();
      const { id, subdomain } = await gateway.route(box);
      refused(await gateway.publish(box, { subdomain, port: 4000 }), 409, texts.subdomain);
      equal('routes', (await gateway.routes(box)).length, 1);
      status(await gateway.unpublish(box, id), 200);
      await gateway.route(box, { subdomain });
      equal('routes', (await gateway.routes(box)).length, 1);
    },
    shared,
  ),
  check(
    'gateway/publishRoute/at-once',
    ['should/gateway/83'],
    'lets one of several simultaneous publications of a subdomain succeed',
    async (gateway) => {
      const boxes = [await gateway.box(), await gateway.box(), await gateway.box()];
      const subdomain = gateway.label();
      const answers = await gateway.together(() =>
        Array.from({ length: 9 }, (_, index) =>
          gateway.publish(boxes[index % 3] ?? { id: '', token: '' }, { subdomain }),
        ),
      );
      equal('how many win', answers.filter((answer) => answer.status === 201).length, 1);
      for (const answer of answers) if (answer.status !== 201) refused(answer, 409);
      const listed = await Promise.all(boxes.map(gateway.routes));
      equal('routes', listed.flat().length, 1);
    },
    shared,
  ),
];
