/** Names and files that others choose do no harm wherever the console shows them. Every operation is asked, by its table. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type BoxEnvironment, makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { type ServingProgram, serveBoxgate } from '../lib/testing/boxgate-process.ts';
import { oddFiles, putOdd } from '../lib/testing/odd-files.ts';
import { operations } from './validators.gen.ts';

const names = [
  'a\nrestore from the trash: ok, 1 ms (from 192.0.2.1)',
  'c\u001b[2J\u009b1md',
  'e\u202egnp.exe\u2066',
  'f\u2028g\u0085h\u200bi',
  '<img src=x onerror=alert(1)>',
];
const forbidden = /(?![\u200c\u200d]|\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Files that the console reads beside those of the box itself. */
const files = [
  '.env',
  '.env.bak',
  'compose.yaml',
  'compose.yaml.kept',
  'manifest.json',
  'manifest.json.kept',
  'icon.svg',
];
/** Far longer than any answer takes: only a hang exceeds it. */
const answeredWithinMs = 60_000;
const mostMemoryKib = 512 * 1024;

let environment: BoxEnvironment;
let server: ServingProgram;
const apps = [...names, ...files.flatMap((file) => Object.keys(oddFiles).map((kind) => `${file} as ${kind}`))];

before(async () => {
  environment = makeBoxEnvironment();
  for (const name of apps) {
    const folder = join(environment.installedApps, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ name, display_name: name, version: '1' }));
    writeFileSync(join(folder, 'compose.yaml'), 'services: {web: {image: "a:1"}}\n');
    const [file = '', kind = ''] = name.split(' as ');
    if (kind !== '') await putOdd(kind, join(folder, file));
  }
  server = await serveBoxgate(['box', 'console'], environment.env());
});

after(async () => {
  await server.stop();
  await environment.dispose();
});

/** A stream is answered, too: its first part is enough. */
async function textOf(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, AbortSignal.timeout(answeredWithinMs)]);
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(server.address + path, { method, signal, ...init });
  if (response.headers.get('content-type') !== 'text/event-stream') {
    return { status: response.status, text: await response.text() };
  }
  left.abort();
  return { status: response.status, text: '' };
}

test('no operation fails, hangs or takes much memory, whatever names and files there are', async () => {
  for (const { method, path, operationId } of operations) {
    const isOfApp = path.includes('{');
    for (const name of isOfApp ? apps : apps.slice(0, 5)) {
      const target = path.replace(/\{\w+\}/, encodeURIComponent(name));
      const body = method === 'POST' ? { id: name, name } : undefined;
      const { status, text } = await textOf(method, target, body);
      assert.ok(status !== 500, `${operationId} of ${JSON.stringify(name)}: ${status} ${text}`);
      if (operationId === 'showConsole') break;
      if (status >= 400) assert.doesNotMatch(JSON.parse(text).error, forbidden, operationId);
      if (!isOfApp && method === 'GET') break;
    }
  }
  const peakKib = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]);
  assert.ok(peakKib < mostMemoryKib, `${peakKib} KiB`);
});

test('no line of the log has a character of a name that acts on its reader, or is forged', () => {
  for (const line of server.said.err.split('\n')) {
    assert.doesNotMatch(line, forbidden);
    assert.doesNotMatch(line, /^restore from the trash: ok/);
  }
});
