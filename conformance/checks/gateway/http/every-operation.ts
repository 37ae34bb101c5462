import { type Check, check } from '../../../kernel/check.ts';
import { equal } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared } from '../shared-fixture.ts';

const operations = [
  ['GET', '/healthz'],
  ['POST', '/v1/boxes/register'],
  ['POST', '/v1/boxes/box_x/heartbeat'],
  ['POST', '/v1/boxes/box_x/rotate-token'],
  ['POST', '/v1/boxes/box_x/deregister'],
  ['GET', '/v1/routes'],
  ['POST', '/v1/routes'],
  ['DELETE', '/v1/routes/rt_x'],
];

/** Rules that apply to every operation, checked for each. */
export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/every-operation/body-limit',
    ['choice/gateway/8'],
    'refuses a body of more than 64 KiB by its announced length, at every operation',
    async (gateway) => {
      for (const [method, path] of operations) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n`;
        const { responses: answers } = await gateway.raw({ parts: [head] });
        equal(
          `${method} ${path}`,
          answers.map((answer) => answer.status),
          [413],
        );
      }
    },
    shared,
  ),
  check(
    'gateway/every-operation/malformed',
    ['choice/gateway/16'],
    'answers 400 to a request that is no HTTP/1.1, at the path of every operation',
    async (gateway) => {
      for (const [method, path] of operations) {
        const { responses: answers } = await gateway.raw({
          parts: [`${method} ${path} HTTP/x\r\nHost: localhost\r\n\r\n`],
        });
        equal(
          `${method} ${path}`,
          answers.map((answer) => answer.status),
          [400],
        );
      }
    },
    shared,
  ),
];
