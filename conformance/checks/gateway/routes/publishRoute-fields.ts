import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

const rules = {
  app_name:
    'app_name must be a string of 1 to 63 letters, digits, dots, underscores and hyphens that starts with a letter or digit',
  subdomain:
    'subdomain must be one DNS label of 1 to 63 lower-case letters, digits and inner hyphens that does not start with xn--',
  port: 'port must be an integer from 1 to 65535',
};

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
    'gateway/publishRoute/empty-fields',
    ['choice/gateway/27', 'choice/gateway/71'],
    'treats null and the empty text as missing, before it looks for other errors',
    async (gateway) => {
      const box = await gateway.box();
      for (const field of ['app_name', 'subdomain']) {
        for (const nothing of [null, '']) {
          refused(await gateway.publish(box, { [field]: nothing }), 400, texts.routeFields);
          refused(await gateway.publish(box, { port: 'x', [field]: nothing }), 400, texts.routeFields);
        }
      }
      refused(await gateway.publish(box, { app_name: '-', subdomain: '-', port: null }), 400, texts.routeFields);
      refused(await gateway.publish(box, { port: '' }), 400, rules.port);
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
      const names = [{ subdomain: 7.5 }, { subdomain: {} }, { subdomain: ['a b'] }, { app_name: {} }];
      for (const fields of [{ port: 'abc' }, { port: {} }, { port: ['x'] }, ...names])
        refused(await gateway.publish(box, fields), 400);
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/publishRoute/app-names',
    ['choice/gateway/72', 'choice/gateway/28'],
    'accepts the chosen app names unchanged, and names the rule for any other',
    async (gateway) => {
      const box = await gateway.box();
      const wrong = ['-a', '.a', '_a', 'a b', 'a/b', 'ä', 'a`', 'a\n', '../x', 'x'.repeat(64), 7, true, ['a'], {}];
      for (const app_name of wrong) refused(await gateway.publish(box, { app_name }), 400, rules.app_name);
      for (const app_name of ['a', 'A', '0', 'a.b_c-D', 'x'.repeat(63), 'a..', 'null']) {
        const answer = await gateway.publish(box, { app_name });
        status(answer, 201);
        equal('app_name', record(answer).app_name, app_name);
      }
    },
    shared,
  ),
  check(
    'gateway/publishRoute/subdomains',
    ['choice/gateway/73', 'choice/gateway/74', 'choice/gateway/28'],
    'accepts one lower-case DNS label, and names the rule for anything else',
    async (gateway) => {
      const box = await gateway.box();
      const unique = gateway.label();
      const wrong = [
        'A', `${unique}A`, '-a', 'a-', '-', 'a.b', 'a_b', 'a b', 'ä', 'a\n', 'a`', '*', '.', 'x'.repeat(64), 'xn--a', 'xn--',
        'XN--A', 'xn--80ak6aa92e', 7, true, ['a'], {}, ' a', 'a ', 'a\u0000', '{{a}}', 'a"b', "a'b",
      ]; // biome-ignore format: a table
      for (const subdomain of wrong) refused(await gateway.publish(box, { subdomain }), 400, rules.subdomain);
      const full = `${unique}${'x'.repeat(63 - unique.length)}`;
      const right = [
        full,
        `0${unique}`,
        `a--${unique}`,
        `xn-${unique}`,
        `xm--${unique}`,
        `${unique}-0`,
        `x-${unique}`,
        `n--${unique}`,
      ];
      for (const subdomain of right) {
        const answer = await gateway.publish(box, { subdomain });
        status(answer, 201);
        equal('subdomain', record(answer).subdomain, subdomain);
      }
    },
    shared,
  ),
  check(
    'gateway/publishRoute/long-host',
    ['choice/gateway/75'],
    'refuses a subdomain that makes the host longer than 253 characters, and accepts one that just fits',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_DOMAIN = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.${'g'.repeat(57)}.hh`;
      const length = 243;
      equal('the domain that the check is for', gateway.environment.variables.GATEWAY_DOMAIN.length, length);
      const box = await gateway.box();
      const fits = 'b'.repeat(253 - 1 - length);
      refused(await gateway.publish(box, { subdomain: `${fits}b` }), 400);
      status(await gateway.publish(box, { subdomain: fits }), 201);
    },
  ),
  check(
    'gateway/publishRoute/ports',
    ['choice/gateway/76', 'choice/gateway/28'],
    'accepts JSON integers from 1 to 65535, and names the rule for anything else',
    async (gateway) => {
      const box = await gateway.box();
      for (const port of [0, -1, 65536, 1.5, '80', '', ' ', true, false, [], [80], {}, 1e300]) {
        refused(await gateway.publish(box, { port }), 400, rules.port);
      }
      for (const port of [1, 80, 65535]) status(await gateway.publish(box, { port }), 201);
      const body = `{"app_name":"a","subdomain":"${gateway.label()}","port":8e1}`;
      const answer = await gateway.post('/v1/routes', body, { Authorization: `Bearer ${box.token}` });
      status(answer, 201);
      equal('8e1', record(answer).port, 80);
    },
    shared,
  ),
  check(
    'gateway/publishRoute/first-wrong-field',
    ['choice/gateway/29'],
    'names the first invalid field in the order of the request',
    async (gateway) => {
      const box = await gateway.box();
      refused(await gateway.publish(box, { app_name: '-', subdomain: '-', port: 0 }), 400, rules.app_name);
      refused(await gateway.publish(box, { subdomain: '-', port: 0 }), 400, rules.subdomain);
    },
    shared,
  ),
];
