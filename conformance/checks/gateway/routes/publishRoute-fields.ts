import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

const everyField = ['app_name', 'subdomain', 'port'] as const;

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/publishRoute/missing-fields',
    [
      'gateway/publishRoute/2',
      'gateway/publishRoute/3',
      'gateway/publishRoute/4',
      'gateway/publishRoute/5',
      'gateway/errors/2',
      'gateway/errors/3',
    ],
    'refuses a route without app name, subdomain or port, and one whose port is null',
    async (gateway) => {
      const box = await gateway.box();
      for (const field of everyField) {
        refused(await gateway.publish(box, { [field]: undefined }), 400, texts.routeFields);
      }
      refused(await gateway.publish(box, { port: null }), 400, texts.routeFields);
      const none = { app_name: undefined, subdomain: undefined, port: undefined };
      refused(await gateway.publish(box, none), 400, texts.routeFields);
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/publishRoute/invalid',
    ['gateway/publishRoute/8', 'gateway/errors/3'],
    'refuses a route that no proxy could serve with 400 and its own text, and does not store it',
    async (gateway) => {
      const box = await gateway.box();
      const wrong = [{ port: 0 }, { port: -1 }, { port: 65536 }, { port: 99999999 }, { subdomain: 'a b' }];
      const padded = [' ', '\t', '\n'].flatMap((blank) => [`${blank}quay`, `quay${blank}`]);
      for (const subdomain of padded) wrong.push({ subdomain });
      for (const fields of [...wrong, { subdomain: 'x`)||Host(`y' }, { subdomain: 'a/b' }, { subdomain: 'a\nb' }]) {
        const answer = await gateway.publish(box, fields);
        refused(answer, 400);
        ensure('a text of its own', record(answer).error !== texts.routeFields, answer.json);
      }
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/publishRoute/wrong-types',
    ['gateway/publishRoute/8', 'gateway/errors/3'],
    'refuses fields of the wrong type with 400, and does not store the route',
    async (gateway) => {
      const box = await gateway.box();
      const names = [7, 7.5, true, {}, ['quay']].map((name) => ({ app_name: name }));
      const subdomains = [7.5, {}, ['a b']].map((name) => ({ subdomain: name }));
      for (const fields of [{ port: 'abc' }, { port: {} }, { port: ['x'] }, ...names, ...subdomains])
        refused(await gateway.publish(box, fields), 400);
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
];
