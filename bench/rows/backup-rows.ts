import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { serveCommandOf } from '../box.ts';
import type { Group, Row } from '../measure-row.ts';

export type BackupSizes = { megabytes: number; files: number; apps: number };

const image = process.env.BOXGATE_TEST_IMAGE ?? 'busybox:stable';
const project = 'bench-backup';
const large = `${project}-large`;

/** Whether the programs are here that these rows need: restic, and a Docker Engine that answers. */
export function canMeasureBackups(): boolean {
  return [
    ['restic', 'version'],
    ['docker', 'version'],
    ['docker', 'compose', 'version'],
  ].every(([program = '', ...args]) => {
    return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  });
}

/** Backups on a real engine, compared with restic and docker alone. */
export async function backupRows(sizes: BackupSizes): Promise<Group> {
  const world = makeWorld(sizes);
  const { run, timed, restic, folders } = world;
  run('run'); // The first run also rehearses a restore, as one run a month does.
  const again = () => restic('backup', '-q', '--tag', 'floor', ...folders(large));
  const rows: Row[] = [
    row(`time away of an app of ${sizes.files} files and ${sizes.megabytes} MB, 1 % of it changed`, {
      floor: 'docker stop, docker start, restic backup of what is unchanged',
      goal: 1.3,
      unit: 'ms',
      async round() {
        world.change();
        const away = Number(/away for ([\d.]+) s/.exec(run('make', large))?.[1]) * 1000;
        again();
        const stop = timed(() => world.compose(large, 'stop'));
        const scan = timed(again);
        return { ours: away, floor: stop + scan + timed(() => world.compose(large, 'start')) };
      },
    }),
    row('bytes written for a backup of that app, unchanged', {
      floor: '1 MB',
      goal: 1,
      unit: 'kB',
      async round() {
        const before = bytesIn(world.repository);
        run('make', large);
        return { ours: (bytesIn(world.repository) - before) / 1000, floor: 1000 };
      },
    }),
    row(`nightly run of ${sizes.apps} apps`, {
      floor: 'restic backup of the same folders, two calls an app, and the check',
      goal: 1.5,
      unit: 'ms',
      async round() {
        const names = world.small;
        const ours = timed(() => run('run'));
        const floor = timed(() => {
          for (const name of [large, ...names]) {
            for (const pass of ['first', 'second']) restic('backup', '-q', '--tag', pass, ...folders(name));
          }
          restic('check', '--read-data-subset=1/30');
        });
        return { ours, floor };
      },
    }),
  ];
  return { rows, close: async () => world.dispose() };
}

function row(
  name: string,
  {
    round,
    ...others
  }: Pick<Row, 'floor' | 'goal' | 'unit'> & { round: () => Promise<{ ours: number; floor: number }> },
): Row {
  return {
    name,
    ...others,
    rounds: (asked) => Math.min(asked, 5),
    round: async () => ({ ...(await round()), disturbed: false }),
  };
}

/** Installed apps that run, one of them large, and a repository. */
function makeWorld({ megabytes, files, apps }: BackupSizes) {
  const root = mkdtempSync(join(tmpdir(), 'boxgate-bench-'));
  const installed = join(root, 'installed');
  const state = join(root, 'state');
  mkdirSync(state, { recursive: true });
  const repository = join(state, 'backups');
  const env = { ...process.env, BOX_INSTALLED_APPS: installed, BOX_STATE_DIR: state, BOX_BACKUP_KEEP: 'all' };
  const resticEnv = {
    ...process.env,
    RESTIC_REPOSITORY: repository,
    RESTIC_PASSWORD_FILE: join(state, 'backup.key'),
    RESTIC_CACHE_DIR: join(state, 'backup-cache'),
  };
  const [program = '', launcher = ''] = serveCommandOf('box');
  const run = (...words: string[]) =>
    execFileSync(program, [launcher, 'box', 'backup', ...words], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const docker = (args: string[], cwd?: string) =>
    execFileSync('docker', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const compose = (name: string, ...words: string[]) => docker(['compose', ...words], join(installed, name));
  const data = (name: string) => docker(['volume', 'inspect', '--format', '{{.Mountpoint}}', `${name}_data`]);
  const restic = (...args: string[]) =>
    void execFileSync('restic', args, { env: resticEnv, stdio: ['ignore', 'ignore', 'inherit'] });
  const small = Array.from({ length: apps - 1 }, (_, n) => `${project}-${n}`);
  for (const name of [large, ...small]) {
    mkdirSync(join(installed, name), { recursive: true });
    writeFileSync(join(installed, name, 'manifest.json'), JSON.stringify({ name, version: '1', display_name: name }));
    writeFileSync(join(installed, name, 'compose.yaml'), composeText);
    compose(name, 'up', '-d');
    fill(data(name), name === large ? { megabytes, files } : { megabytes: 5, files: 100 });
  }
  const mebibyte = 2 ** 20;
  return {
    run,
    restic,
    compose,
    repository,
    small,
    timed(work: () => unknown): number {
      const begin = performance.now();
      work();
      return performance.now() - begin;
    },
    folders: (name: string) => [join(installed, name), data(name)],
    /** Writes 1 % of the large app's data anew. */
    change() {
      const file = openSync(join(data(large), 'large'), 'r+');
      for (let n = 0; n < megabytes / 100; n += 1)
        writeSync(file, randomBytes(mebibyte), 0, mebibyte, n * 90 * mebibyte);
      closeSync(file);
    },
    dispose() {
      for (const name of [large, ...small]) compose(name, 'down', '-v', '-t', '0');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const composeText = `
services:
  web:
    image: ${image}
    command: ["sleep", "1000000"]
    stop_signal: SIGKILL
    restart: unless-stopped
    volumes: ["data:/data"]
volumes: { data: }
`;

/** One large file, and many that share a tenth of the bytes. */
function fill(folder: string, { megabytes, files }: { megabytes: number; files: number }): void {
  const mebibyte = 2 ** 20;
  const file = openSync(join(folder, 'large'), 'w');
  for (let n = 0; n < megabytes * 0.9; n += 1) writeSync(file, randomBytes(mebibyte));
  closeSync(file);
  const bytes = Math.floor((megabytes * 0.1 * mebibyte) / files);
  for (let n = 0; n < files; n += 1) {
    const sub = join(folder, String(n % 100));
    mkdirSync(sub, { recursive: true });
    writeFileSync(join(sub, String(n)), randomBytes(bytes));
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
