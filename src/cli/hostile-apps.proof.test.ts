/**
 * Names that others choose cannot forge a line, or turn a text around, wherever the box shows them; and whatever lies in
 * the place of a file holds up nobody and fills no memory.
 */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type BoxEnvironment, makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { type ServingProgram, serveBoxgate } from '../lib/testing/boxgate-process.ts';
import { oddFiles, putOdd } from '../lib/testing/odd-files.ts';

const names = [
  'a\nreconcile: ok, nothing to do, 1 ms (at the start)',
  'b\r\nlistening on 192.0.2.1',
  'c\u001b[2J\u009b1md',
  'e\u202egnp.exe\u2066',
  'f\u2028g\u0085h\u200bi',
];
const forbidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const manifest = JSON.stringify({ name: 'x', version: '1.0.0', icon: 'a\u202e.svg' });

const files = ['manifest.json', '.env', '.env.bak', '.env.example', 'compose.yaml', 'icon.svg', 'more.env', 'conf.txt'];
const odd = Object.keys(oddFiles).flatMap((kind) => files.map((file) => [kind, file] as const));
const oddName = (kind: string, file: string) => `${file} as ${kind}`;
const appOf = (name: string) => ({
  name,
  manifest: { name, version: '1', icon: 'icon.svg', settings: [{ name: 'A', label: 'A', type: 'text' }] },
  compose: 'services: {web: {image: "registry.example/web:1", env_file: more.env}}\n',
  files: { 'more.env': 'B=1\n', 'conf.txt': 'x' },
  env: 'A=1\n',
  envExample: 'A=1\n',
  icon: '<svg/>',
});

/** Below the size of the huge file and far above the need of a box. */
const mostMemoryKib = 1024 * 1024;
/** Far longer than any answer takes: only a hang exceeds it. */
const answeredWithinMs = 120_000;

let environment: BoxEnvironment;
let server: ServingProgram;

before(async () => {
  environment = makeBoxEnvironment();
  const { installedApps, bundledApps } = environment;
  const elsewhere = join(environment.root, 'elsewhere');
  mkdirSync(elsewhere);
  for (const [index, name] of names.entries()) {
    for (const place of [installedApps, bundledApps]) {
      mkdirSync(join(place, name, 'manifest.json'), { recursive: true });
      symlinkSync(elsewhere, join(place, `link ${name}`));
      mkdirSync(join(place, `broken ${index}`), { recursive: true });
      writeFileSync(join(place, `broken ${index}`, 'manifest.json'), `{"name": "${name}"`);
      const app = join(place, `compose ${index} ${name.replaceAll(/\p{Cc}/gu, '')}`);
      mkdirSync(app, { recursive: true });
      writeFileSync(join(app, 'manifest.json'), manifest);
      const files =
        place === bundledApps ? { 'compose.yaml': `services: {web: {image: ${JSON.stringify(name)}}}` } : {};
      symlinkSync(elsewhere, join(app, `link ${name}`));
      for (const [file, text] of Object.entries({ 'compose.yaml': `a: [${name}`, '.env': `${name}=1\n`, ...files }))
        writeFileSync(join(app, file), text);
    }
  }
  for (const [kind, file] of odd) {
    environment.bundle(appOf(oddName(kind, file)));
    await putOdd(kind, join(environment.placeInstalled(appOf(oddName(kind, file))), file));
  }
  // An interrupted install, which is put back: a directory is in the place of a file.
  const staging = join(environment.root, 'staging');
  mkdirSync(staging);
  writeFileSync(join(staging, '0'), '');
  const steps = [{ path: 'manifest.json', staged: '0', keepAs: null, existed: false, keptBefore: false }];
  const [app = ''] = names;
  const files = { directory: join(installedApps, app), staging, steps, record: null };
  const journal = { app, operation: 'install', files };
  writeFileSync(join(environment.stateDir, 'change-journal.json'), JSON.stringify(journal));
  server = await serveBoxgate(['box', 'serve'], environment.env());
});

after(async () => {
  await server.stop();
  await environment.dispose();
});

async function answer(path: string, init?: RequestInit): Promise<string[]> {
  const response = await fetch(`${server.address}${path}`, { ...init, signal: AbortSignal.timeout(answeredWithinMs) });
  return textsIn(await response.json(), '');
}

/** Fields with names and paths as they are, because clients address apps by them. */
const data = ['app', 'name', 'display_name', 'icon', 'target', 'installed', 'removed', 'updated'];

/** The texts of an answer for people. */
function textsIn(value: unknown, key: string): string[] {
  if (typeof value === 'string') return data.includes(key) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, one]) => textsIn(one, Array.isArray(value) ? key : inner));
}

test('no name acts on its reader, and no odd file fails, hangs or takes much memory', async () => {
  const folders = [...names, ...names.map((name, index) => `compose ${index} ${name.replaceAll(/\p{Cc}/gu, '')}`)];
  const told: string[] = [...(await answer('/api/apps')), ...(await answer('/api/bundled'))];
  for (const name of [
    ...folders,
    ...names.map((one) => `link ${one}`),
    ...names.map((_, index) => `broken ${index}`),
    ...odd.map(([kind, file]) => oddName(kind, file)),
  ]) {
    const body = JSON.stringify({ name, settings: { [`K${name}`]: name } });
    const post = (path: string) => answer(path, { method: 'POST', body });
    const at = `/api/apps/${encodeURIComponent(name)}`;
    told.push(...(await answer(`${at}/settings`)));
    for (const path of [`${at}/settings`, `${at}/update`, '/api/apps/install', '/api/apps/remove']) {
      told.push(...(await post(path)));
    }
  }
  assert.ok(told.length > 100);
  assert.deepEqual(
    told.filter((text) => forbidden.test(text)),
    [],
  );
  const peakKib = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]);
  assert.ok(peakKib < mostMemoryKib, `${peakKib} KiB`);
  const lines = server.said.err.split('\n').slice(0, -1);
  assert.ok(lines.length > 50);
  assert.ok(lines.some((line) => /^the last install of a\\u\{a\}reconcile: /.test(line)));
  const own = /^(?:install|configure|update|remove|reconcile|the last install)\b(?!.*\bforged: )/;
  assert.deepEqual(
    lines.filter((line) => forbidden.test(line) || !own.test(line)),
    [],
  );
});
