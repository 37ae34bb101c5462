import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { makeReleaseFeed } from './release-feed.ts';

let answer: (response: ServerResponse) => void;
const server = createServer((_, response) => answer(response));
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close().closeAllConnections());
const feedAddress = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/release.json`;

const slow: Record<string, typeof answer> = {
  'never answers': () => undefined,
  'never ends': (response) => response.writeHead(200).write('{'),
};
for (const [title, plays] of Object.entries(slow)) {
  test(`attack: a slow feed that ${title} ends with a reason`, async () => {
    answer = plays;
    const address = feedAddress();
    await assert.rejects(makeReleaseFeed(address, 'box', 200).read(), {
      message: `the release feed ${address} cannot be read: it was not complete after 0.2 seconds`,
    });
  });
}

test('attack: a feed that changes to another protocol ends with a reason', async () => {
  answer = ({ socket }) => socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  await assert.rejects(makeReleaseFeed(feedAddress(), 'box').read(), {
    message: /another protocol \(status 101\)/,
  });
});

test('the rest of a refused answer is not waited for', async () => {
  let isClosed = false;
  answer = (response) => {
    response.writeHead(404).write('gone');
    response.on('close', () => {
      isClosed = true;
    });
  };
  await assert.rejects(makeReleaseFeed(feedAddress(), 'box').read(), { message: /answers with status 404/ });
  while (!isClosed) await new Promise((done) => setImmediate(done));
});
