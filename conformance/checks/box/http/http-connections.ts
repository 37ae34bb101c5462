import { type Check, check } from '../../../kernel/check.ts';
import { equal, pluck, status } from '../../../kernel/expect.ts';
import { followsHttp } from '../../http/cases.ts';
import { answersWithoutHost, refusesMalformed } from '../../http/malformed.ts';
import { answersRequestsInOrder } from '../../http/one-connection.ts';
import { library, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const service = {
  get: '/api/bundled',
  post: '/api/apps/remove',
  maxBodyBytes: 2 ** 20,
  unknownMethod: 405,
};

export const checks: Check<BoxContext>[] = [
  check(
    'box/http/keep-alive',
    ['box/service/1', 'box/endpoints/4'],
    'answers sequential requests on one connection completely, or closes it after the first',
    (box) => answersRequestsInOrder(box.raw, '/api/bundled'),
    { shared: library },
  ),
  check(
    'box/http/corpus',
    ['choice/box/12', 'choice/box/14', 'choice/box/168', 'choice/box/170', 'choice/box/188'],
    'refuses or answers any bytes, never with more responses than requests, and keeps serving',
    (box) => followsHttp(box.raw, service),
    { shared: library, timeoutMs: 90_000 },
  ),
  check(
    'box/http/half-closed',
    ['choice/box/12'],
    'answers a client that has closed its own half of the connection',
    async (box) => {
      const parts = ['GET /api/apps HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'];
      const { responses } = await box.raw({ parts, halfClose: true });
      equal('one whole answer', pluck(responses, 'status'), [200]);
      const late = await box.raw({ parts: [parts.join('').repeat(2)], responses: 2 });
      equal('nothing more after the request that it calls its last', pluck(late.responses, 'status'), [200]);
    },
    { shared: library },
  ),
  check(
    'box/http/without-host',
    ['choice/box/168'],
    'answers an HTTP/1.0 request without a host',
    async (box) => {
      await answersWithoutHost(box.raw, '/api/apps');
      // Similar headers do not count as `Host`, and the case of the name does not matter.
      const others = 'GET /api/apps HTTP/1.1\r\nhOST: localhost\r\nFrom: a@b.example\r\nHost2: x\r\n\r\n';
      const [answer] = (await box.raw({ parts: [others] })).responses;
      equal('status with one host among other headers', answer?.status, 200);
    },
    { shared: library },
  ),
  check(
    'box/http/pipelined-flood',
    ['choice/box/163'],
    'disconnects a client with more than a thousand pending requests, and serves the others',
    async (box) => {
      placeInstalled(box, 'anchor');
      await box.start();
      await box.environment.docker.hang({ on: 'ps' });
      const change = 'POST /api/apps/anchor/update HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
      const list = 'GET /api/apps HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const { responses, closed } = await box.raw({ parts: [change + list.repeat(1002)] });
      equal('the answers', [responses.length, closed], [0, true]);
      status(await box.get('/api/apps'), 200);
      // An unreadable request does not wait for the requests of others either.
      const [nonsense] = (await box.raw({ parts: ['nonsense\r\n\r\n'] })).responses;
      equal('status for nonsense meanwhile', nonsense?.status, 400);
    },
  ),
  check(
    'box/http/malformed',
    ['choice/box/14', 'choice/box/168'],
    'answers 400 with an error body to a request that is not HTTP/1.1, and closes the connection',
    async (box) => {
      const heads = [
        'GET /api/apps HTTP/x\r\n\r\n',
        'nonsense\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
        'GET /api/apps HTTP/1.1\r\n\r\n',
        'GET /api/apps HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
        'GET /api/apps HTTP/1.1\r\nhost: x\r\nHOST: y\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
        '(FROB /api/apps HTTP/1.1\r\nHost: x\r\n\r\n',
        'FROB /api/apps HTTP/1.1x\r\nHost: x\r\n\r\n',
        'GET /api/apps\x7f HTTP/1.1\r\nHost: x\r\n\r\n',
      ];
      await refusesMalformed(box.raw, heads);
      const good = 'GET /api/apps HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const behind = await box.raw({ parts: [`${good.repeat(3)}nonsense\r\n\r\n`], responses: 5 });
      equal(
        'statuses of three requests and nonsense in one packet',
        pluck(behind.responses, 'status'),
        [200, 200, 200, 400],
      );
      const before = await box.raw({ parts: [`GET / HTTP/1.1\r\n\r\n${good}`], responses: 2 });
      equal('statuses of a request without a host and another in one packet', pluck(before.responses, 'status'), [400]);
    },
    { shared: library },
  ),
];
