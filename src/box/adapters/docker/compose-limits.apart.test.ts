import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import type { ComposeProject, Containers, OnProgress, Progress } from '../../core.ts';
import { makeComposeContainers } from './compose.ts';

let folder: string;
let project: ComposeProject;
before(() => {
  folder = temporaryFolder();
  project = { project: 'a', directory: folder, files: [join(folder, 'compose.yaml')], envFile: null };
});

/** Makes the container adapter with the default limits and a `docker` command that runs this script. */
function containers(script: string) {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'docker'), 0o755);
  return makeComposeContainers({ PATH: [folder, process.env.PATH].join(delimiter) });
}

const calls = {
  up: { minutes: 15, start: (docker: Containers) => docker.up(project) },
  pull: { minutes: 15, start: (docker: Containers) => docker.pull(project, false) },
  down: { minutes: 2, start: (docker: Containers) => docker.down(project, 60_000) },
};

for (const [verb, { minutes, start }] of Object.entries(calls)) {
  // choice/box/129
  test(`docker compose ${verb} may take ${minutes} min and no longer`, async (context) => {
    const kill = context.mock.method(process, 'kill');
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const ended = assert.rejects(start(containers('exec sleep 100')), /did not end in time/);
    context.mock.timers.tick(minutes * 60_000 - 1);
    assert.equal(kill.mock.callCount(), 0);
    context.mock.timers.tick(1);
    assert.ok(kill.mock.callCount() > 0);
    await ended;
  });
}

for (const [verb, start] of [
  ['pull', (docker: Containers, onProgress: OnProgress) => docker.pull(project, false, onProgress)],
  ['up', (docker: Containers, onProgress: OnProgress) => docker.up(project, undefined, { onProgress })],
  ['build', (docker: Containers, onProgress: OnProgress) => docker.build(project, undefined, onProgress)],
] as const) {
  test(`docker compose ${verb} may move for hours, and ends when nothing moves for 5 min`, async (context) => {
    const kill = context.mock.method(process, 'kill');
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const next = join(folder, `next-${verb}`);
    execFileSync('mkfifo', [next]);
    const docker = containers(
      `for part in 1 2 3; do echo " 4a273277a001 Downloading [=>  ]  \${part}MB/90MB" >&2; cat '${next}'; done; exec sleep 100`,
    );
    let moved = Promise.withResolvers<Progress>();
    const ended = assert.rejects(
      start(docker, (progress) => moved.resolve(progress)),
      /was ended, because nothing moved for 5 minutes: .*3MB\/90MB/,
    );
    for (const part of [1, 2, 3]) {
      assert.equal((await moved.promise).bytes, part * 1_000_000);
      moved = Promise.withResolvers();
      context.mock.timers.tick(5 * 60_000 - 1);
      assert.equal(kill.mock.callCount(), 0);
      if (part < 3) await writeFile(next, '');
    }
    context.mock.timers.tick(1);
    assert.ok(kill.mock.callCount() > 0);
    await ended;
  });
}

test('a failure is one sentence: the command, how it ended, and the end of its output', async () => {
  const said = ['Container a-web-1  Starting', 'pulling', 'Error: no space left', 'see the log'];
  const failing = containers(`printf '%s\\n' ${said.map((line) => `'${line}'`).join(' ')} >&2; exit 18`);
  await assert.rejects(failing.up(project), {
    message: 'docker compose up failed with status 18: pulling / Error: no space left / see the log',
  });
});

const lacking: [said: string, message: RegExp][] = [
  ['could not select device driver "nvidia" with capabilities: [[gpu]]', /^the app asks for a GPU that .* Toolkit, or/],
  ['unknown or invalid runtime name: nvidia', /^the app asks for a GPU/],
  [
    'error gathering device information while adding custom device "/dev/dri": no such file or directory',
    /^the app asks for the device \/dev\/dri, which/,
  ],
];
for (const [said, message] of lacking) {
  test(`a machine without the device that an app asks for is one sentence: ${said}`, async () => {
    await assert.rejects(containers(`echo 'Error response from daemon: ${said}' >&2; exit 1`).up(project), { message });
  });
}

test('a Compose that reads an endless file ends by its limit of memory, and the failure says so', async () => {
  const go = 'echo "fatal error: runtime: out of memory" >&2; echo "runtime.throw({0x27e4e9d?})" >&2; exit 2';
  const reading = containers(`[ "$(ulimit -d)" = 1048576 ] && { ${go}; }`);
  const said = { message: /^docker compose (?:up|config) needed more than 1 GiB of memory: / };
  await assert.rejects(reading.up(project), said);
  await assert.rejects(reading.config(project, 'a'), said);
});
