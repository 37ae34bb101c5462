import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Box, startBox } from '../support/box.ts';
import { container, containers } from '../support/programs/docker.ts';
import { generator, seed } from '../support/random.ts';
import { addRow, assertTidy, command, hasJournal, rows, version } from '../support/saved-app.ts';
import { launcher } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const kills = Number(process.env.BOXGATE_BACKUP_KILLS ?? 100);
const name = 'real-backup-killed';

/** What each round does, to which image, and about how long that takes. Version 2 does not stay up. */
const works = [
  { work: 'update', image: '2', ms: 9000 },
  { work: 'make', image: '2', ms: 5000 },
  { work: 'restore', image: '2', ms: 8000 },
  { work: 'update', image: '3', ms: 6000 },
  { work: 'restore', image: '1', ms: 8000 },
  { work: 'update', image: '1', ms: 6000 },
] as const;
type Work = (typeof works)[number]['work'];

/** Runs a command of the box and kills it, or the server. Then the server is started, and finishes what was cut off. */
async function cutOff(box: Box, work: Work, ms: number): Promise<void> {
  const env = { ...process.env, BOX_INSTALLED_APPS: box.installed, BOX_STATE_DIR: box.state };
  const argv = [launcher, 'box', 'backup', work, name];
  const child = work === 'update' ? null : spawn(process.execPath, argv, { env, stdio: 'ignore' });
  const ended = child === null ? box.update(name).catch(() => null) : once(child, 'exit');
  // This pause chooses the moment of the kill; it does not synchronise.
  await Promise.race([pause(ms), ended]);
  child?.kill('SIGKILL');
  await Promise.all([ended, box.kill()]);
  await box.start();
  // A change of another app has its turn after that.
  await until('what was cut off is in order', () => !hasJournal(box));
  await until('the app runs', () => {
    const web = containers(name).find(({ service }) => service === 'web');
    return web?.status === 'running' && box.has(name, 'manifest.json');
  });
}

type State = { version: string; image: string; rows: string };

/** Volume and folder have the same rows, as soon as a version that has just started has written its own. */
async function look(box: Box, told: string): Promise<State> {
  let written: string[] = [];
  await until(`${told}: volume and folder are of one time`, () => {
    written = rows(box, name);
    return written[0] === written[1];
  });
  const { version } = JSON.parse(box.read(name, 'manifest.json'));
  return { version, image: container(name, 'web').tag.slice(-1), rows: written[0] ?? '' };
}

/** Version, image and data are those of another state; since then only this version has started. */
function continues({ version, image, rows }: State, other: State): boolean {
  const isSame = version === other.version && image === other.image && rows.startsWith(other.rows);
  return isSame && rows.slice(other.rows.length).replaceAll(`web ${image}\n`, '') === '';
}

test(`after kill -9 at ${kills} moments the app runs with the old data or the new (seed ${seed})`, async (t) => {
  const box = await startBox(t, { [name]: version('1.0', '1') });
  assert.equal((await box.install(name)).status, 200);
  command(box, 'make', name);
  const earlier = [await look(box, 'installed')];
  const random = generator(seed);
  for (let round = 0; round < kills; round += 1) {
    const { work, image, ms: longest } = works[round % works.length] ?? works[0];
    const ms = Math.floor(random() * longest);
    const told = `round ${round}: ${work} to ${image}, killed after ${ms} ms (seed ${seed})`;
    addRow(name, `round ${round}`);
    const before = await look(box, told);
    const next = `${round + 2}.0`;
    box.bundle(name, version(next, image));
    await cutOff(box, work, ms);
    const after = await look(box, told);
    t.diagnostic(`${told}: ${before.version} to ${after.version}`);
    const isNew = work === 'update' && image !== '2';
    const wanted = [
      before,
      ...(work === 'restore' ? earlier : []),
      ...(isNew ? [{ ...before, version: next, image }] : []),
    ];
    assert.ok(
      wanted.some((state) => continues(after, state)),
      `${told}: ${JSON.stringify({ after, wanted })}`,
    );
    earlier.push(before);
  }
  command(box, 'make', name);
  assertTidy(box, name);
});
