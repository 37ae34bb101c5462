import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeEngine } from './engine.ts';
import type { Call } from './handler/call.ts';
import { runDocker } from './handler/docker.ts';
import { emptyState } from './model/state.ts';

/** Compares the fake with transcripts of the real programs in `recordings/`, which are never edited. */
const folder = join(import.meta.dirname, 'recordings');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const recorded = read('engine-26.1.5-compose-2.26.1.txt');

function statuses(transcript: string): string[] {
  const found: string[] = [];
  let command = '';
  for (const line of transcript.split('\n')) {
    if (line.startsWith('$ ')) command = line.slice(2);
    if (line.startsWith('= ')) found.push(`${command} -> ${line.slice(2)}`);
  }
  return found;
}

/** Removes the prefix of a path into the folder of the recording. */
function withoutFolder(word: string): string {
  const from = word.indexOf('/');
  const to = word.lastIndexOf('/shop/');
  return to > from + 1 ? word.slice(0, from) + word.slice(to) : word;
}

/** The error lines of failed commands, without times and ids. */
function refusals(transcript: string): string[] {
  return transcript
    .split('\n')
    .filter((line) =>
      /^err\| (Error|[Cc]annot|Couldn't|no |open|validating|service|empty|env file|failed to)/.test(line),
    )
    .map((line) => line.replace(/[0-9a-f]{12,64}/g, 'ID').replace(/\S+/g, withoutFolder));
}

test('ends every recorded command with the recorded status and error', async () => {
  const root = mkdtempSync(join(tmpdir(), 'fake-docker-recordings-'));
  const engine = makeEngine(root);
  const web = '127.0.0.1:5000/web';
  await engine.fail({ on: 'pull', match: `${web}:nosuch`, kind: 'not-found' });
  await engine.behave({ image: `${web}:stops`, does: 'exit', exitCode: 3 });
  await engine.behave({ image: `${web}:3`, does: 'unhealthy' });
  const stop = `sed -i s/"running":true/"running":false/ ${join(engine.folder, 'state.json')}`;
  const env = { PATH: `${engine.bin}:/usr/bin:/bin`, HOME: root, STOP_ENGINE: stop };
  const played = spawnSync(join(folder, 'record.sh'), [web, join(root, 'run')], { env, encoding: 'utf8' });
  rmSync(root, { recursive: true, force: true });
  assert.equal(played.stderr, '');
  assert.deepEqual(statuses(played.stdout), statuses(recorded));
  const ofSocket = (lines: string[]) => lines.map((line) => line.replace(/unix:\S+\.sock/, 'unix:SOCKET'));
  assert.deepEqual(ofSocket(refusals(played.stdout)), ofSocket(refusals(recorded)));
});

/** Commands that are served without a transcript, with the reason. */
const unrecorded: Record<string, string> = {
  'container ps': 'another spelling of container ls',
  'container start': 'the same as start',
  'container kill': 'the same as kill',
  'container restart': 'the same as restart',
  stats: 'its numbers are others at each call',
  'container stats': 'the same as stats',
  'volume inspect': 'its answer has a time; the contract test compares it',
  'system df': 'its answer has every image of the engine',
};

const names = (
  'attach build commit compose container context cp create diff events exec export history image images import info ' +
  'inspect kill load login logout logs network pause plugin port ps pull push rename restart rm rmi run save search ' +
  'start stats stop system tag top unpause update version volume wait'
).split(' ');
const verbs = (
  'attach build commit config convert cp create df diff disconnect down events exec history images info inspect kill ls ' +
  'logs pause port prune ps pull push rename restart rm run scale start stats stop tag top unpause up use version wait watch'
).split(' ');

/** Whether the fake has this command. */
async function isServed(argv: string[]): Promise<boolean> {
  let output = '';
  const state = emptyState();
  const call: Call = {
    argv,
    cwd: '/',
    env: {},
    now: () => 0,
    pause: async () => {},
    out: () => {},
    err: (text) => {
      output += text;
    },
    read: () => state,
    change: async (work) => work(state),
    follow: () => ({ next: () => [], close: () => {} }),
    faultFired: () => {},
  };
  const status = await runDocker(call);
  return !(status === 125 && /the command "|"(network|volume) /.test(output));
}

test('serves only recorded commands', async () => {
  const lonely = names.filter(
    (name) => !['compose', 'container', 'context', 'image', 'network', 'system', 'volume'].includes(name),
  );
  const grouped = ['compose', 'container', 'context', 'image', 'network', 'system', 'volume'].flatMap((name) =>
    verbs.map((verb) => `${name} ${verb}`),
  );
  const missing: string[] = [];
  for (const command of [...lonely, ...grouped]) {
    if (command in unrecorded || !(await isServed(command.split(' ')))) continue;
    const [first, second] = command.split(' ');
    const form = second
      ? new RegExp(`^\\$ docker ${first} (?:-\\S+ \\S+ )*${second}\\b`, 'm')
      : new RegExp(`^\\$ docker ${first}\\b`, 'm');
    if (!form.test(recorded)) missing.push(command);
  }
  assert.deepEqual(missing, []);
});

test('the transcripts name their versions', () => {
  assert.match(recorded, /^# Engine 26\.1\.5\S*, Compose 2\.26\.1\S*, \d{4}-\d\d-\d\d\n/);
  assert.match(
    read('engine-28.5.2-compose-2.40.3.txt'),
    /^# Engine 28\.5\.2\S*, Compose 2\.40\.3\S*, \d{4}-\d\d-\d\d\n/,
  );
});
