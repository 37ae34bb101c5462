import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { required } from '../support/required.ts';
import type { Answer } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import { Feed } from './feed.ts';
import { machine } from './machine.ts';
import { job } from './state.ts';

const folder = join(required('BOXGATE_REAL'), 'self-update');
const releases = join(folder, 'releases');
const url = 'http://127.0.0.1:7000';
export const unit = 'boxgate-box.service';
export const software = '/opt/boxgate';
/** What the feed serves: the second version. */
export const newer = join(releases, 'second');

const announced = (which: string) =>
  JSON.parse(readFileSync(join(releases, which, 'release.json'), 'utf8')) as { version: string };
export const first = announced('first').version;
export const second = announced('second').version;

export const feed = new Feed(newer);

export async function ask(path: string, body?: unknown): Promise<Answer> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url + path, init);
  return { status: response.status, body: await response.json() };
}

/** The version that answers, or null. */
export const answers = () =>
  fetch(`${url}/api/apps`, { signal: AbortSignal.timeout(5000) }).then(
    (response) => response.headers.get('server')?.replace('boxgate/', '') ?? null,
    () => null,
  );

/** Installs the first version on a machine, as a service that reads the test's feed. */
export async function installBox(): Promise<void> {
  await machine.start();
  await feed.open();
  await machine.mustRun(['sh', join(folder, 'unpacked', 'deploy/install.sh')]);
  const settings = machine.path('/etc/boxgate/box.env');
  const own = `BOX_RELEASE_FEED=${feed.url}\nBOX_UPDATE_WAIT=10\nBOX_BUNDLED_APPS=/var/lib/boxgate-test/apps\n`;
  writeFileSync(settings, readFileSync(settings, 'utf8') + own);
  await machine.mustRun(['systemctl', 'restart', unit]);
  await until(`version ${first} answers`, async () => (await answers()) === first);
}

/** Starts an update through the API. */
export async function apply(): Promise<void> {
  const answer = await ask('/api/self/update/apply', {});
  assert.deepEqual(answer, { status: 202, body: { status: 'dispatched', unit: job } });
}
