import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailed } from '../../../lib/process/run-command.ts';
import { containerTemplate } from './docker-output.ts';
import { observeContainers } from './observe.ts';

const line = (id: string) => `${JSON.stringify({ Id: id })}\n`;
const whole = { status: 1, signal: null, stdout: '', stderr: '', timedOut: false, notFound: false, isCut: false };
const fails = (ending: Partial<typeof whole>) => () => {
  throw new CommandFailed(['docker', 'inspect'], { ...whole, ...ending }, 'exit status');
};
const prints = (stdout: string) => () => stdout;

/** A `docker` whose `ps` lists these ids, and that answers an inspection with and without the template. */
async function observed(ids: string, withTemplate: () => string, plain: () => string = withTemplate) {
  const answers: string[] = [];
  const docker = async (args: readonly string[]) => {
    if (args[0] === 'ps') return { stdout: ids, stderr: '' };
    const isTemplate = args.includes(containerTemplate);
    answers.push(isTemplate ? 'template' : 'plain');
    return { stdout: (isTemplate ? withTemplate : plain)(), stderr: '' };
  };
  const seen = await observeContainers(docker).then(
    (containers) => containers.map(({ id }) => id),
    ({ message, unreachable }) => ({ message, unreachable }),
  );
  return { seen, answers };
}

test('asks once, with a template, and nothing without a container', async () => {
  assert.deepEqual(await observed('a\nb\n', prints(line('a') + line('b'))), {
    seen: ['a', 'b'],
    answers: ['template'],
  });
  assert.deepEqual(await observed('', prints('')), { seen: [], answers: [] });
});

test('uses what remains if containers are gone at the inspection', async () => {
  const daemon = 'Error response from daemon: No such container: b';
  for (const stderr of [daemon, 'Error: No such object: b', 'Error: no such container "b"']) {
    assert.deepEqual((await observed('a\nb\n', fails({ stdout: line('a'), stderr }))).seen, ['a']);
  }
  for (const stdout of ['', '\n', '[]\n']) {
    assert.deepEqual((await observed('b\n', fails({ stdout, stderr: daemon }))).seen, []);
  }
});

test('asks again without the template if a tool refuses or does not know it', async () => {
  const array = prints(JSON.stringify([{ Id: 'a' }]));
  const takenForName = fails({ stdout: '[]', stderr: 'Error response from daemon: No such container: container' });
  const refusals = [fails({ stderr: 'unknown flag: --format' }), prints(containerTemplate), prints(''), takenForName];
  for (const refusal of refusals) {
    assert.deepEqual(await observed('a\n', refusal, array), { seen: ['a'], answers: ['template', 'plain'] });
  }
  assert.deepEqual(await observed('a\n', array), { seen: ['a'], answers: ['template'] });
});

const unknown: [what: string, answer: () => string, message: RegExp][] = [
  [
    'is cut',
    fails({ status: 0, isCut: true, stdout: line('a') }),
    /^docker inspect printed more than the box can read$/,
  ],
  [
    'is cut while a container is gone',
    fails({ isCut: true, stdout: line('a'), stderr: 'Error: No such container: b' }),
    /^docker inspect failed/,
  ],
  ['lacks a container without a word', prints(line('a')), /^docker inspect answered for 1 of 2 containers$/],
  ['is an error of the engine', fails({ stderr: 'Error response from daemon: no memory' }), /no memory$/],
  [
    'lacks another container than the one that is gone',
    fails({ stdout: line('c'), stderr: 'Error: No such object: x' }),
    /No such object: x$/,
  ],
];
for (const [what, answer, message] of unknown) {
  test(`an inspection that ${what} is never a shorter list`, async () => {
    const { seen } = await observed('a\nb\n', answer);
    assert.ok(!Array.isArray(seen));
    assert.match(seen.message, message);
    assert.equal(seen.unreachable, true);
  });
}

test('tells a tool that lists no containers from one that does not describe those that are there', async () => {
  const table = await observed('CONTAINER ID   NAMES\na   x\n', prints(''));
  assert.deepEqual(table.seen, { message: 'docker ps answered in a form that is not understood', unreachable: false });
  const odd = await observed('a\n', prints('what?'));
  assert.deepEqual(odd.seen, {
    message: 'docker inspect answered in a form that is not understood',
    unreachable: true,
  });
});
