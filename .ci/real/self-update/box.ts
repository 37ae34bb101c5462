import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { required } from '../support/required.ts';
import type { Answer } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import type { Entry, Release, Twist } from './archive.ts';
import { makeRelease } from './archive.ts';
import { Feed } from './feed.ts';
import { machine, writeThere } from './machine.ts';
import { job, readState, type State, statePath, theEnd, Watch } from './state.ts';
import { filesOf, gate, type Script } from './versions.ts';

export const folder = join(required('BOXGATE_REAL'), 'self-update');
export const releases = join(folder, 'releases');
export const url = 'http://127.0.0.1:7000';
export const unit = 'boxgate-box.service';
export const software = '/opt/boxgate';
/** The installed first version is kept here, for tests that begin with it. */
const snapshot = '/opt/first-release';

const announced = (which: string) =>
  JSON.parse(readFileSync(join(releases, which, 'release.json'), 'utf8')) as { version: string };
export const first = announced('first').version;
export const second = announced('second').version;
export const key = readFileSync(join(releases, 'key.pem'), 'utf8');

export const feed = new Feed();

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

export const isAnswering = (version: string) =>
  until(`version ${version} answers`, async () => (await answers()) === version);

let lastVersion = 0;
/** A version that was not used before. */
export function nextVersion(): string {
  lastVersion += 1;
  return `90.${process.pid}.${lastVersion}`;
}

/** A new version of a few small files with a valid signature, unless `twist` changes it. */
export function release(twist: Twist = {}, script: Script = {}, more: Entry[] = []): Release {
  const version = nextVersion();
  return makeRelease(version, key, [...filesOf(version, first, script), ...more], twist);
}

/** Prepares a machine that runs the first version as a service and reads the test's feed. */
export async function startBox(options: { waitSeconds?: number } = {}): Promise<void> {
  await machine.start();
  await feed.open();
  if (existsSync(machine.path(snapshot))) await reset(options);
  else await install();
}

async function install(): Promise<void> {
  await machine.mustRun(['sh', join(folder, 'unpacked', 'deploy/install.sh')]);
  await machine.mustRun(['cp', '-al', `${software}/${first}`, snapshot]);
  await configure();
}

let waitSeconds = 10;

/** Each run of a test file has a feed at another port. */
async function configure(): Promise<void> {
  const settings = machine.path('/etc/boxgate/box.env');
  const others = readFileSync(settings, 'utf8').replaceAll(/^BOX_(RELEASE_FEED|UPDATE_WAIT|BUNDLED_APPS)=.*\n/gm, '');
  const own = `BOX_RELEASE_FEED=${feed.url}\nBOX_UPDATE_WAIT=${waitSeconds}\nBOX_BUNDLED_APPS=/var/lib/boxgate-test/apps\n`;
  writeFileSync(settings, others + own);
  await machine.mustRun(['systemctl', 'restart', unit]);
  await isAnswering(first);
}

/**
 * Restores the first version as it was installed. Only the files of the update are removed from the state directory.
 */
export async function reset(options: { waitSeconds?: number; isElsewhere?: boolean } = {}): Promise<void> {
  waitSeconds = options.waitSeconds ?? waitSeconds;
  await stopServices();
  const opt = machine.path(software);
  for (const name of readdirSync(opt)) rmSync(join(opt, name), { recursive: true, force: true });
  // Copies by hard links unless a test has mounted another disk at the software folder.
  const how = options.isElsewhere ? '-a' : '-al';
  await machine.mustRun(['cp', how, snapshot, `${software}/${first}`]);
  await machine.mustRun(['ln', '-sfn', first, `${software}/current`]);
  rmSync(machine.path(statePath), { force: true });
  await configure();
}

export async function stopServices(): Promise<void> {
  openGates();
  await machine.stopUnit(job);
  await machine.stopUnit(unit);
}

export async function startService(): Promise<void> {
  await machine.mustRun(['systemctl', 'start', unit]);
  await isAnswering(first);
}

export function closeGate(name: string): void {
  mkdirSync(machine.path(gate), { recursive: true });
  writeThere(`${gate}/${name}`, '');
}

export function openGates(): void {
  rmSync(machine.path(gate), { recursive: true, force: true });
}

/** Starts an update through the API. */
export async function apply(): Promise<void> {
  const answer = await ask('/api/self/update/apply', {});
  assert.deepEqual(answer, { status: 202, body: { status: 'dispatched', unit: job } });
}

let tried = 0;
/** Counts a tried failure; the test file prints the sum. */
export function countFailure(): void {
  tried += 1;
}

after(() => {
  if (tried === 0) return;
  appendFileSync(join(folder, 'tried'), `${tried}\n`);
  console.log(`tried ${tried} failures`);
});

/**
 * Asserts that the old or the new version runs completely, in agreement with the state. Returns whether it is the new
 * one.
 */
export async function runsEither(version: string, end: State): Promise<boolean> {
  const isNew = end.stage === 'done';
  if (isNew) await runs(version, [first, version]);
  else {
    assert.equal(end.reason, 'interrupted');
    await runsAlone(first);
  }
  return isNew;
}

export type Expected = {
  reason: RegExp;
  /** Whether the failure came after the switch. */
  restarts?: boolean;
  /** Whether the server is killed as well. */
  dies?: boolean;
};

/** Asserts that this version runs, and that the software folder contains exactly these versions and the link. */
export async function runs(version: string, versions: string[]): Promise<void> {
  await isAnswering(version);
  assert.equal(readlinkSync(machine.path(`${software}/current`)), version);
  const left = readdirSync(machine.path(software)).sort();
  assert.deepEqual(left, [...versions, 'current'].sort(), 'what is in the software folder');
}

/** Asserts that this version runs and that no files of another version are left. */
export const runsAlone = (version: string) => runs(version, [version]);

/**
 * Runs an update that must fail: it ends as `rolled_back` with that reason, and the old version runs. After a failure
 * before the switch, the server must not have been restarted.
 */
export async function fails(
  expected: Expected,
  during: (watch: Watch) => Promise<void> = async () => undefined,
): Promise<State> {
  countFailure();
  const before = readState().attempt;
  const pid = await machine.property('MainPID', unit);
  const watch = new Watch();
  try {
    await apply();
    await during(watch);
    const end = await theEnd(before);
    assert.equal(end.stage, 'rolled_back', JSON.stringify(end));
    assert.match(end.reason ?? '', expected.reason);
    assert.equal(end.from, first);
    await runsAlone(first);
    if (!expected.restarts && !expected.dies)
      assert.equal(await machine.property('MainPID', unit), pid, 'the server still runs');
    // An updater that was killed at the switch may report either outcome.
    if (!watch.stages.includes('switching') || expected.restarts)
      assert.equal(end.outcome, expected.restarts ? 'reverted' : 'unchanged');
    assert.deepEqual((await ask('/api/self/update/status')).body, end);
    return end;
  } catch (error) {
    const journal = await machine.journal(job).catch(() => '');
    throw new Error(`${(error as Error).message}\nstages: ${watch.stages.join(' ')}\n${journal}`, { cause: error });
  } finally {
    // Ends the update and restores the first version, so that the next case starts without an update.
    openGates();
    await machine.stopUnit(job);
    if (readlinkSync(machine.path(`${software}/current`)) !== first) await reset();
    watch.stop();
  }
}

/** Asserts that a valid update succeeds after all the failures. */
export async function updatesWell(): Promise<void> {
  feed.serveFolder(join(releases, 'second'));
  const before = readState().attempt;
  await apply();
  const end = await theEnd(before);
  assert.deepEqual([end.stage, end.outcome, end.to], ['done', 'updated', second], JSON.stringify(end));
  await isAnswering(second);
}
