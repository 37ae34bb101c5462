import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryLogs } from '../testing/memory-logs.ts';
import { sampleContainer } from '../testing/sample-container.ts';
import { useTestBox } from '../testing/test-box.ts';
import { followAppLog, readAppLog } from './app-log.ts';

const testBox = useTestBox();
const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000000000Z`;

/** The app `notes` with a container of each service, and a box whose pauses the test ends. */
function logsOf(...services: string[]) {
  const directory = testBox.installed('notes', { '.env': 'PASSWORD=hunter2hunter2\n' });
  testBox.containers.containers = services.map((service) => ({
    ...sampleContainer('notes', { id: service, name: `notes-${service}-1`, service, workingDirectory: directory }),
    config: '',
  }));
  const logs = new MemoryLogs();
  let looks: (() => void)[] = [];
  const pause = (ms: number) =>
    ms < 1000 ? new Promise<void>(setImmediate) : new Promise<void>((look) => looks.push(look));
  const box = { ...testBox.box, pause, logs: { ...testBox.box.logs, read: logs.read.bind(logs) } };
  const lookAgain = () => {
    for (const look of looks) look();
    looks = [];
  };
  return { box, logs, lookAgain };
}

test('shows the last lines of all containers by their times, harmless and without secrets', async () => {
  const { box, logs } = logsOf('web', 'db');
  logs.past.set(
    'web',
    `${at(1)} one\n${at(3)} \x1b[31mred\x1b[0m \x1b]0;title\x07 hunter\x1b[1m2hunter2\r\n${at(5)} <b>\n`,
  );
  logs.past.set(
    'db',
    `${at(2)} two\n${at(4)} ${'x'.repeat(5000)}\n${at(6)} ${'x'.repeat(20_000)}\nwithout time\n${at(7)} end`,
  );
  const { lines, left_out: leftOut, notes } = await readAppLog(box, 'notes');
  assert.deepEqual(
    lines.map(({ time, source, text }) => [time, source, text.slice(0, 40)]),
    [
      [at(1), 'web', 'one'],
      [at(2), 'db', 'two'],
      [at(3), 'web', 'red  •••'],
      [at(4), 'db', 'x'.repeat(40)],
      [at(5), 'web', '<b>'],
      [at(6), 'db', 'x'.repeat(40)],
      [null, 'db', 'without time'],
      [at(7), 'db', 'end'],
    ],
  );
  for (const index of [3, 5]) assert.match(lines[index]?.text ?? '', /^x{4096}… \(line shortened\)$/);
  assert.deepEqual([leftOut, notes], [0, []]);
  assert.deepEqual(
    (await readAppLog(box, 'notes', 2)).lines.map(({ text }) => text),
    ['without time', 'end'],
  );
});

test('says why a log cannot be read', async () => {
  const cases: [how: 'failed' | 'no docker' | 'too many' | 'ended', said: string, note: RegExp | null][] = [
    [
      'failed',
      'Error response from daemon: configured logging driver does not support reading',
      /keeps no log.*driver/,
    ],
    ['failed', "unknown flag: --timestamps\nSee 'docker logs --help'.", /cannot show its log/],
    ['failed', 'cannot read hunter2hunter2', /cannot be read: cannot read •••$/],
    ['failed', '', /Docker says nothing/],
    ['no docker', '', /is Docker installed/],
    ['too many', '', /too many logs/],
    ['ended', 'words of the container', null],
  ];
  for (const [how, said, note] of cases) {
    const { box, logs } = logsOf('web');
    const reading = readAppLog(box, 'notes');
    while (logs.readers.length === 0) await new Promise(setImmediate);
    if (said !== '') logs.readers[0]?.write(`${said}\n`, 'stderr');
    logs.readers[0]?.end(how);
    const { lines, notes } = await reading;
    if (note === null) assert.deepEqual([lines[0]?.text, notes], [said, []]);
    else assert.match(notes.join(), note, said);
  }
});

test('follows a log, again after a restart of its container, and ends the programs when nobody looks any more', async () => {
  const { box, logs, lookAgain } = logsOf('web');
  logs.past.set('web', `${at(1)} one\n`);
  const log = followAppLog(box, 'notes');
  const texts = async () => (await log.next()).value?.lines.map(({ text }: { text: string }) => text);
  assert.deepEqual(await texts(), ['one']);
  logs.readers[0]?.write(`${at(2)} tw`);
  logs.readers[0]?.write(`o\n${at(3)} three\n`);
  assert.deepEqual(await texts(), ['two', 'three']);

  logs.readers[0]?.end('ended');
  const [container] = testBox.containers.containers;
  if (container !== undefined) container.startedAt = (container.startedAt ?? 0) + 5000;
  logs.past.set('web', `${at(3)} three\n${at(4)} four\n`);
  await new Promise(setImmediate);
  lookAgain();
  assert.deepEqual(await texts(), ['four']);
  assert.equal(logs.readers[1]?.since, at(3));

  const waiting = log.next();
  await log.return?.();
  assert.equal((await waiting).done, true);
  assert.equal(logs.readers[1]?.isStopped, true);
});

test('counts the lines of a fast log that are left out, and keeps memory bounded', async () => {
  const { box, logs } = logsOf('web');
  logs.past.set('web', `${at(1)} first\n`);
  const log = followAppLog(box, 'notes');
  await log.next();
  const many = `${at(2)} ${'x'.repeat(70)}\n`.repeat(1000);
  for (let count = 0; count < 50; count += 1) logs.readers[0]?.write(many);
  const { lines, left_out: leftOut } = (await log.next()).value;
  assert.deepEqual([lines.length, leftOut], [250, 49_750]);
  await log.return?.();
});

test('refuses an app that is not installed', async () => {
  await assert.rejects(readAppLog(testBox.box, '../notes'), { refusal: 'appNotInstalled' });
  assert.throws(() => followAppLog(testBox.box, 'other'), { refusal: 'appNotInstalled' });
});
