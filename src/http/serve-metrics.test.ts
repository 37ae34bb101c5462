import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whileServingMetrics } from './serve-metrics.ts';

const metrics = { type: 'text/plain; version=0.0.4', text: async () => 'a_metric 1\n' };

test('choice/box/331, choice/gateway/333: serves GET /metrics and nothing else', async () => {
  const port = await freePort();
  const url = `http://[::1]:${port}`;
  await whileServingMetrics({ host: '::1', port }, metrics, '1.2.3', async () => {
    const answer = await fetch(`${url}/metrics`);
    assert.equal(answer.headers.get('content-type'), metrics.type);
    assert.equal(await answer.text(), 'a_metric 1\n');
    assert.equal((await fetch(`${url}/metrics`, { method: 'HEAD' })).status, 200);
    for (const path of ['/', '/metrics/', '/api/apps', '/healthz']) {
      assert.equal((await fetch(url + path)).status, 404, path);
    }
    assert.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 404);
    assert.equal((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status, 413);
    const taken = whileServingMetrics({ host: '::1', port }, metrics, '1.2.3', () => assert.fail());
    await assert.rejects(taken, /^Error: cannot listen on ::1 port \d+: the port is taken$/);
  });
  await assert.rejects(fetch(`${url}/metrics`), 'nothing listens any more');
});

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '::1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
