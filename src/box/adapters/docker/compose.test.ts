import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import {
  type BoxEnvironment,
  boxEnvironmentIn,
  makeBoxEnvironment,
  makeEnvironmentFolder,
} from '../../../../fakes/box-environment.ts';
import { openResident } from '../../../../fakes/docker/resident/resident.ts';
import { fakeDockerPart, fakeSystemdPart } from '../../../../fakes/fake-parts.ts';
import { runCommand } from '../../../lib/process/run-command.ts';
import type { ComposeProject, ContainersFailed } from '../../core.ts';
import { makeChanges } from '../changes.ts';
import { makeComposeContainers } from './compose.ts';
import { parseContainers } from './docker-output.ts';

const limits = { listMs: 20_000, downMs: 20_000, changeMs: 20_000, silenceMs: 20_000 };

async function failureOf(work: Promise<unknown>): Promise<ContainersFailed> {
  const error = await work.then(
    () => null,
    (thrown: ContainersFailed) => thrown,
  );
  assert.equal(error?.name, 'ContainersFailed');
  return error as ContainersFailed;
}

describe('on the fake engine', () => {
  let world: BoxEnvironment;
  let project: ComposeProject;
  const containers = () => makeComposeContainers(world.env(), limits);
  const verbs = () => world.docker.calls().map(({ argv }) => argv.slice(0, 1).join(' '));

  before(async () => {
    const root = makeEnvironmentFolder();
    const docker = fakeDockerPart(root, await openResident());
    world = boxEnvironmentIn(root, { docker, systemd: fakeSystemdPart(root) });
    const directory = join(world.installedApps, 'notes');
    mkdirSync(directory);
    writeFileSync(join(directory, 'compose.yaml'), 'services:\n  web: { image: "web:1" }\n  db: { image: "db:1" }\n');
    writeFileSync(join(directory, '.env'), 'A=1\n');
    const files = [join(directory, 'compose.yaml')];
    project = { project: 'notes', directory, files, envFile: join(directory, '.env') };
  });
  after(() => world.dispose());
  afterEach(async () => {
    await world.docker.clearFaults();
    await world.docker.setRunning(true);
  });

  test('gives the project as Compose resolves it, or fails without quoting the answer', async () => {
    const { model } = await containers().config(project, null);
    assert.deepEqual([model.name, model.services.web?.image], ['notes', 'web:1']);
    assert.equal((await containers().config(project, 'other')).model.name, 'other');
    const failure = await failureOf(containers().config({ ...project, files: ['/nowhere/compose.yaml'] }, null));
    assert.match(failure.message, /^docker compose config failed with status/);
  });

  test('the template gives what a plain inspection does, in two commands', async () => {
    const compose = `services:
  web:
    image: web:1
    restart: always
    ports: ["127.0.0.1:8080:80"]
    healthcheck: { test: ["CMD", "true"], start_period: 90s }
  db: { image: "db:1", network_mode: host }
`;
    const directory = join(world.installedApps, 'whole');
    mkdirSync(directory);
    writeFileSync(join(directory, 'compose.yaml'), compose);
    await containers().up({ project: 'whole', directory, files: [join(directory, 'compose.yaml')], envFile: null });
    const earlier = verbs().length;
    const seen = await containers().observe();
    assert.deepEqual(verbs().slice(earlier), ['ps', 'inspect']);
    const plain = await runCommand(['docker', 'inspect', ...seen.map(({ id }) => id)], {
      env: world.env(),
      timeoutMs: limits.listMs,
    });
    assert.deepEqual(seen, parseContainers(plain.stdout));
    const web = seen.find(({ service }) => service === 'web');
    assert.deepEqual([web?.startPeriodMs, web?.restarts, web?.published.length], [90_000, true, 1]);
    await containers().downByName('whole', 0);
  });

  test('recognizes a stopped engine', async () => {
    await world.docker.setRunning(false);
    const failure = await failureOf(containers().observe());
    assert.match(failure.message, /^Docker does not answer; is it running\?/);
    assert.equal(failure.unreachable, true);
    assert.equal((await failureOf(containers().imageIds(['web:1']))).unreachable, true);
  });
});

describe('on a script in the place of docker', () => {
  let world: BoxEnvironment;
  const folder = () => join(world.root, 'tool');
  const tool = (script: string) => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), 'docker'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder(), 'docker'), 0o755);
    return { PATH: `${folder()}:${process.env.PATH}`, HOME: '/home/owner' };
  };
  beforeEach(() => {
    world = makeBoxEnvironment();
  });
  afterEach(() => world.dispose());

  // The sentences of Docker 26 and 28.
  for (const said of [
    "unknown shorthand flag: 'p' in -p\n\nUsage:  docker [OPTIONS] COMMAND [ARG...]",
    "docker: 'compose' is not a docker command.\nSee 'docker --help'",
    "docker: unknown command: docker compose\n\nRun 'docker --help' for more information",
  ]) {
    test(`says that the Compose plugin is missing: ${said.split('\n')[0]}`, async () => {
      const env = tool(`cat >&2 <<'X'\n${said}\nX\nexit 125`);
      const project = { project: 'a', directory: world.root, files: ['/x/compose.yaml'], envFile: null };
      const failure = await failureOf(makeComposeContainers(env, limits).up(project));
      assert.match(failure.message, /^Docker's Compose plugin is missing: install the package docker-compose-plugin/);
      const other = await failureOf(
        makeComposeContainers(tool('echo unknown flag: --x >&2; exit 1'), limits).up(project),
      );
      assert.match(other.message, /unknown flag: --x/);
    });
  }

  test('says that docker is missing', async () => {
    const failure = await failureOf(makeComposeContainers({ PATH: '/nonexistent' }, limits).observe());
    assert.match(failure.message, /docker is not on PATH/);
    assert.equal(failure.unreachable, true);
  });

  test('passes on PATH, HOME and the variables that reach an engine, and nothing else', async () => {
    const env = {
      ...tool('env > "$HOME/seen"'),
      HOME: world.root,
      DOCKER_HOST: 'unix:///x',
      SECRET: 's',
      BOX_PORT: '1',
      EMPTY: undefined,
    };
    await makeComposeContainers(env, limits).observe();
    const names = readFileSync(join(world.root, 'seen'), 'utf8')
      .split('\n')
      .map((one) => one.split('=')[0]);
    // The shell sets these itself; coverage runs add one to reach child processes.
    const added = ['PWD', 'SHLVL', '_', 'OLDPWD', 'NODE_V8_COVERAGE', ''];
    const given = names.filter((name) => !added.includes(name ?? '')).sort();
    assert.deepEqual(given, ['DOCKER_HOST', 'HOME', 'PATH']);
  });

  test('gives Compose the directory of the project as PWD', async () => {
    const seen = join(world.root, 'seen');
    // A shell sets PWD itself, so this reads what its process was given.
    const script = `cat "/proc/$$/environ" > '${seen}'`;
    const project = { project: 'a', directory: world.root, files: [], envFile: null };
    await makeComposeContainers({ ...tool(script), PWD: '/elsewhere' }, limits).up(project);
    assert.ok(readFileSync(seen, 'utf8').split('\0').includes(`PWD=${world.root}`));
  });

  test('calls docker in plain forms, and also takes down services of a profile', async () => {
    const env = tool('echo "$COMPOSE_PROFILES: $*" >> "$HOME/calls"');
    const containers = makeComposeContainers({ ...env, HOME: world.root }, limits);
    const project = { project: 'a', directory: '/', files: ['/x/compose.yaml', '/x/o.yaml'], envFile: '/x/.env' };
    await containers.up(project);
    await containers.pull({ ...project, envFile: null }, false);
    await containers.pull(project, true);
    await containers.down(project, 0);
    await containers.downByName('a', 0);
    await containers.build(project);
    await containers.build(project, ['web']);
    await containers.pullServices(project, ['web', 'db'], new AbortController().signal);
    await containers.logs('abc');
    assert.equal(
      readFileSync(join(world.root, 'calls'), 'utf8'),
      `: compose -p a -f /x/compose.yaml -f /x/o.yaml --env-file /x/.env up -d --remove-orphans --pull missing
: compose -p a -f /x/compose.yaml -f /x/o.yaml pull
: compose -p a -f /x/compose.yaml -f /x/o.yaml --env-file /x/.env pull --ignore-buildable
*: compose -p a -f /x/compose.yaml -f /x/o.yaml --env-file /x/.env down --remove-orphans
*: compose -p a down --remove-orphans
: compose -p a -f /x/compose.yaml -f /x/o.yaml --env-file /x/.env build
: compose -p a -f /x/compose.yaml -f /x/o.yaml --env-file /x/.env build web
: compose -p a -f /x/compose.yaml -f /x/o.yaml --env-file /x/.env pull web db
: logs --tail 20 abc
`,
    );
  });

  test('reads only whole lines of a long log', async () => {
    const env = tool('head -c 100000 /dev/zero | tr "\\\\0" x; echo; echo end; echo err >&2');
    assert.equal(await makeComposeContainers(env, limits).logs('abc'), 'end\n\nerr\n');
  });

  test('ends a pull outside of a change at the signal, and passes it no lock', async () => {
    const { run, lend } = makeChanges(world.root);
    const project = { project: 'a', directory: world.root, files: ['/x/compose.yaml'], envFile: null };
    const refusing = makeComposeContainers(tool('readlink /proc/self/fd/3 >&2; exit 1'), limits, lend);
    const { signal } = new AbortController();
    const failure = await run(() => failureOf(refusing.pullServices(project, ['web'], signal)));
    assert.doesNotMatch(failure.message, /change\.lock/);
    const hanging = makeComposeContainers(tool('exec sleep 60'), limits, lend);
    await failureOf(hanging.pullServices(project, ['web'], AbortSignal.timeout(1)));
  });

  test('passes on the lock of a change, so that it outlives this process', async () => {
    const { run, lend } = makeChanges(world.root);
    const containers = makeComposeContainers(tool('readlink /proc/self/fd/3 >&2; exit 1'), limits, lend);
    const failure = await run(() => failureOf(containers.tag('a', 'b')));
    assert.match(failure.message, /change\.lock$/);
    assert.doesNotMatch((await failureOf(containers.tag('a', 'b'))).message, /change\.lock/);
  });

  test('does not pass the lock to commands that only read', async () => {
    const { run, lend } = makeChanges(world.root);
    const containers = makeComposeContainers(tool('readlink /proc/self/fd/3 >&2; exit 1'), limits, lend);
    const failure = await run(() => failureOf(containers.observe()));
    assert.doesNotMatch(failure.message, /change\.lock/);
  });
});
