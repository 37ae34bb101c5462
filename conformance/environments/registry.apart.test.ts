import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Registry, startRegistry } from './registry.ts';

type Manifest = { config: { digest: string }; layers: { digest: string }[] };
type Config = {
  config: { Cmd: string[]; Labels: Record<string, string> };
  rootfs: { diff_ids: string[] };
};

let registry: Registry;
before(async () => {
  registry = await startRegistry({ architecture: 'amd64', labels: { mark: 'this-run' } });
});
after(() => registry.close());

const get = (path: string, method = 'GET') => fetch(`http://${registry.host}/v2/${path}`, { method });
const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

async function pull(repository: string, tag: string) {
  const manifest = (await (await get(`${repository}/manifests/${tag}`)).json()) as Manifest;
  const bytes = await (await get(`${repository}/blobs/${manifest.config.digest}`)).bytes();
  return { manifest, digest: digestOf(bytes), config: JSON.parse(Buffer.from(bytes).toString()) as Config };
}

test('has every image completely, with correct digests and labels', async () => {
  const { manifest, digest, config } = await pull('a/b', '1.4');
  assert.equal(digest, manifest.config.digest);
  const [layer] = manifest.layers;
  const bytes = await (await get(`a/b/blobs/${layer?.digest}`)).bytes();
  assert.equal(digestOf(bytes), layer?.digest);
  assert.deepEqual(config.rootfs.diff_ids, [digestOf(gunzipSync(bytes))]);
  assert.equal(config.config.Labels.mark, 'this-run');
});

test('answers HEAD like GET, and returns a manifest by digest and by tag', async () => {
  const head = await get('web/manifests/1', 'HEAD');
  const digest = head.headers.get('docker-content-digest') ?? '';
  const body = await (await get(`web/manifests/${digest}`)).bytes();
  assert.equal(digestOf(body), digest);
  assert.equal(head.headers.get('content-length'), String(body.length));
});

test('has one image for each name and generation', async () => {
  const first = await pull('kelp', '1');
  assert.equal((await pull('kelp', '1')).digest, first.digest);
  assert.notEqual((await pull('kelp', '2')).digest, first.digest);
  registry.advance('kelp:1');
  assert.notEqual((await pull('kelp', '1')).digest, first.digest);
});

test('makes containers of one generation, or of all, fail to start', async () => {
  registry.behave('wreck:1', 'never-start', 2);
  assert.deepEqual((await pull('wreck', '1')).config.config.Cmd, ['/idle']);
  registry.advance('wreck:1');
  assert.deepEqual((await pull('wreck', '1')).config.config.Cmd, ['/absent']);
  registry.behave('hulk:1', 'never-start');
  assert.deepEqual((await pull('hulk', '1')).config.config.Cmd, ['/absent']);
});

test('refuses, limits and breaks off matching pulls, and counts them', async () => {
  const fired = registry.faultsFired();
  registry.addFault({ does: 'refuse', match: 'one' });
  registry.addFault({ does: 'rate-limit', match: 'two', times: 1 });
  registry.addFault({ does: 'break-off', match: 'three' });
  const statuses = [];
  for (const name of ['one', 'one', 'two', 'two', 'four']) statuses.push((await get(`${name}/manifests/1`)).status);
  assert.deepEqual(statuses, [404, 404, 429, 200, 200]);
  await assert.rejects(get('three/manifests/1'));
  assert.equal(registry.faultsFired() - fired, 4);
  registry.clearFaults();
  assert.equal((await get('one/manifests/1')).status, 200);
});

test('delays a pull until the faults are cleared', async () => {
  registry.addFault({ does: { waitMs: 3_600_000 }, match: 'slow', times: 1 });
  const before = registry.faultsFired();
  const pulled = get('slow/manifests/1');
  while (registry.faultsFired() === before) await new Promise(setImmediate);
  registry.clearFaults();
  assert.equal((await pulled).status, 200);
});

test('knows no blob that no manifest has named', async () => {
  assert.equal((await get(`web/blobs/sha256:${'0'.repeat(64)}`)).status, 404);
});
