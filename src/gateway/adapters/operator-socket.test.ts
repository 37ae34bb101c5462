import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { askForRemoval, serveRemovals } from './operator-socket.ts';

test('a stopped gateway answers the removal under way, and waits for no half a request', async () => {
  const path = join(temporaryFolder(), 'store.sock');
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const removals = await serveRemovals(path, async ({ id }) => {
    begun.resolve();
    await end.promise;
    return { status: 0, text: `${id} is removed` };
  });
  const silent = ['', 'POST / HTTP/1.1\r\n', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'];
  const cut = silent.map(async (sent) => {
    const socket = connect(path).on('error', () => undefined);
    socket.write(sent);
    await once(socket, 'connect');
    return once(socket.resume(), 'close');
  });
  const answer = askForRemoval(path, { id: 'box_a', by: 'a' });
  await begun.promise;
  const closed = removals.close();
  await Promise.all(cut);
  end.resolve();
  assert.deepEqual(await answer, { status: 0, text: 'box_a is removed' });
  await closed;
  assert.equal(await askForRemoval(path, { id: 'box_a', by: 'a' }), null);
});
