import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AppFiles, Box } from '../support/box.ts';
import { container, containers, docker } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { command, hasJournal, mountpoint, restic } from '../support/saved-app.ts';
import { until } from '../support/until.ts';

const name = 'real-backup-disks';

/** Each version adds its row to the volume when it starts. Version 2 then ends. */
function version(version: string, tag: string): AppFiles {
  return {
    manifest: { version },
    compose: `
services:
  web:
    image: "${registry}/web:${tag}"
    command: ["sh", "-c", "cat /www/index.html >> /data/rows; if grep -q 2 /www/index.html; then exit 3; fi; exec httpd -f -p 8080 -h /www"]
    init: true
    restart: unless-stopped
    volumes: ["data:/data"]
volumes: { data: }
`,
    files: { '.env.example': 'A=1\n' },
  };
}

type Work = 'make' | 'restore' | 'update' | 'failing update';

/** Where, and what the answer has to say. */
const harms = {
  'full repository': { place: 'repository', says: /no room|no space/i },
  'lost repository': { place: 'repository', says: /is not at .*repository/ },
  'full state': { place: 'state', says: /no room|no space/i },
  'read-only state': { place: 'state', says: /read-only/i },
  'full apps': { place: 'installed', says: /no room|no space|more room/i },
  'read-only apps': { place: 'installed', says: /read-only/i },
} as const;
type Harm = keyof typeof harms;

/** A box whose repository, state and apps are on small disks, with a `restic` and a `docker` that can harm one of them. */
class SmallBox extends Box {
  readonly repository = join(this.folder, 'repository');
  readonly #disk = join(this.folder, 'disk');
  readonly #trigger = join(this.folder, 'trigger');

  constructor(t: TestContext) {
    super();
    for (const folder of [this.#disk, this.repository]) mkdirSync(folder);
    for (const folder of [this.#disk, this.state, this.installed])
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24M', 'tmpfs', folder]);
    this.#mount();
    t.after(async () => {
      await this.kill();
      for (const folder of [this.repository, this.#disk, this.state, this.installed])
        execFileSync('umount', ['-l', folder]);
      await this.close();
    });
    const bin = join(this.folder, 'bin');
    mkdirSync(bin);
    for (const tool of ['docker', 'restic']) {
      const real = execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
      writeFileSync(
        join(bin, tool),
        `#!/bin/sh
read -r pattern < '${this.#trigger}' 2>/dev/null || exec '${real}' "$@"
case "${tool} $*" in
  $pattern)
    echo >> '${this.#trigger}.calls'
    if [ "$(wc -l < '${this.#trigger}.calls')" = "$(cat '${this.#trigger}.number')" ]; then sh '${this.#trigger}.harm'; fi
esac
exec '${real}' "$@"
`,
      );
      chmodSync(join(bin, tool), 0o755);
    }
    this.env = { PATH: `${bin}:${process.env.PATH}`, BOX_BACKUP_REPOSITORY: join(this.repository, 'box') };
  }

  #mount(): void {
    execFileSync('mount', ['--bind', this.#disk, this.repository]);
  }

  /** At this call of a tool the disk is harmed. */
  plan(harm: Harm, pattern: string, number: number): void {
    const place = this[harms[harm].place];
    const commands: Record<string, string> = {
      full: `dd if=/dev/zero of='${place}/.filler' bs=4k 2>/dev/null`,
      lost: `umount -l '${place}'`,
      // The kernel refuses to make a file system read-only on which files are open for writing.
      'read-only': `mount --bind '${place}' '${place}' && mount -o remount,bind,ro '${place}'`,
    };
    rmSync(`${this.#trigger}.calls`, { force: true });
    writeFileSync(`${this.#trigger}.number`, String(number));
    writeFileSync(`${this.#trigger}.harm`, `${commands[harm.split(' ')[0] ?? '']}; touch '${this.#trigger}.struck'\n`);
    writeFileSync(this.#trigger, `${pattern}\n`);
  }

  /** Whether the call came. */
  putRight(harm: Harm): boolean {
    const place = this[harms[harm].place];
    const struck = existsSync(`${this.#trigger}.struck`);
    for (const end of ['', '.struck']) rmSync(this.#trigger + end, { force: true });
    if (harm === 'lost repository' && struck) this.#mount();
    if (harm.startsWith('read-only') && struck) execFileSync('umount', ['-l', place]);
    rmSync(join(place, '.filler'), { force: true });
    return struck;
  }
}

type State = { version: string; tag: string; volume: string; folder: string };

function look(box: Box): State {
  return {
    version: JSON.parse(box.read(name, 'manifest.json')).version,
    tag: container(name, 'web').tag.slice(-1),
    volume: readFileSync(join(mountpoint(`${name}_data`), 'rows'), 'utf8'),
    folder: box.read(name, 'rows'),
  };
}

/** The later state has the same version and data, and only starts of that version in addition. */
function continues(later: State, earlier: State): boolean {
  const added = later.volume.slice(earlier.volume.length);
  return (
    later.version === earlier.version &&
    later.tag === earlier.tag &&
    later.folder === earlier.folder &&
    later.volume.startsWith(earlier.volume) &&
    added.replaceAll(`web ${later.tag}\n`, '') === ''
  );
}

const isRunning = () => containers(name).find(({ service }) => service === 'web')?.status === 'running';

async function carryOut(box: Box, work: Work): Promise<{ isDone: boolean; text: string }> {
  if (work === 'make' || work === 'restore') {
    const { status, stdout, stderr } = box.command('backup', work, name);
    return { isDone: status === 0, text: stdout + stderr };
  }
  const { status, body } = await box.update(name);
  return { isDone: status === 200, text: String(body.error ?? '') };
}

/** The harm comes just before a call of restic or Docker: a pattern of a shell, and which match of it. */
const rounds: readonly [Work, Harm, pattern: string, number: number][] = [
  ['make', 'full repository', 'restic backup*', 2],
  ['make', 'lost repository', 'docker stop*', 1],
  ['make', 'lost repository', 'restic forget*', 1],
  ['restore', 'full state', 'docker rm*', 1],
  ['restore', 'full state', 'docker compose*up -d*', 1],
  ['update', 'full repository', 'restic backup*', 1],
  ['update', 'lost repository', 'restic backup*', 1],
  ['update', 'full state', 'restic backup*', 1],
  ['update', 'read-only state', 'restic backup*', 2],
  ['update', 'full apps', 'restic backup*', 2],
  ['update', 'read-only apps', 'restic backup*', 2],
  ['update', 'full state', 'docker compose*up -d*', 1],
  ['failing update', 'full repository', 'docker compose*up -d*', 1],
  ['failing update', 'lost repository', 'restic restore*', 1],
];

test('a full, lost or read-only disk in the middle: old data or new, a true answer, and the next run is good', async (t) => {
  const box = new SmallBox(t);
  box.bundle(name, version('1.0', '1'));
  await box.start();
  assert.equal((await box.install(name)).status, 200);
  writeFileSync(join(box.installed, name, 'rows'), 'installed\n');
  command(box, 'make', name);
  let saved = look(box);
  let number = 1;
  for (const [work, harm, pattern, nth] of rounds) {
    const title = `${work}, ${harm} at ${pattern} ${nth}`;
    number += 1;
    docker('exec', container(name, 'web').id, 'sh', '-c', `echo row ${number} >> /data/rows`);
    appendFileSync(join(box.installed, name, 'rows'), `row ${number}\n`);
    const before = look(box);
    const target = before.tag === '1' ? '3' : '1';
    const next = { ...before, version: `${number}.0`, tag: target };
    if (work.endsWith('update')) box.bundle(name, version(next.version, work === 'update' ? target : '2'));
    box.plan(harm, pattern, nth);
    const { isDone, text: said } = await carryOut(box, work);
    // A command may warn before its answer.
    const text = said.trim().split('\n').at(-1) ?? '';
    t.diagnostic(`${title}: ${isDone ? 'done' : 'refused'}: ${text}`);
    const told = `${title}: ${text}`;
    if (!isDone) {
      // A new version that falls is the cause itself, as long as the old one is back.
      if (!/; the app runs version \d+\.0 again and its data of before$/.test(text))
        assert.match(text, harms[harm].says, told);
    }
    // An app whose files or data are to be exchanged waits for its disk.
    const [, held] = /so the app stays stopped; run boxgate box backup restore \S+ (\w{8});/.exec(text) ?? [];
    const waits = hasJournal(box);
    assert.ok(isRunning() || waits || held !== undefined, told);
    assert.ok(box.putRight(harm), `${title}: the call came`);

    if (held !== undefined) command(box, 'restore', name, held);
    command(box, 'make', name);
    await until(`${told}: the app runs`, isRunning);
    const after = look(box);
    const isGood =
      continues(after, before) ||
      (work === 'update' && continues(after, next)) ||
      (work === 'restore' && continues(after, saved));
    assert.ok(isGood, `${told}: ${JSON.stringify({ before, after })}`);
    assert.equal(restic(box, 'check').status, 0, told);
    saved = after;
  }
});
