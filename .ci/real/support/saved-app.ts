import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppFiles, Box } from './box.ts';
import { container, docker } from './programs/docker.ts';
import { registry } from './programs/registry.ts';

/** Each version adds its row to the volume and to a folder of the app when it starts. Version 2 then ends. */
export function version(version: string, tag: string, more: Record<string, string> = {}): AppFiles {
  return {
    manifest: { version, backup: { exclude: ['cache/**'], volumes: { exclude: ['thumbs'] } } },
    compose: `
services:
  web:
    image: "${registry}/web:${tag}"
    command: ["sh", "-c", "cat /www/index.html >> /data/rows; cat /www/index.html >> /files/rows; if grep -q 2 /www/index.html; then echo cannot migrate; exit 3; fi; exec httpd -f -p 8080 -h /www"]
    restart: unless-stopped
    stop_grace_period: 1s
    volumes: ["data:/data", "thumbs:/thumbs", "./files:/files", "/usr/share:/host:ro"]
  calm: { image: "${registry}/web:3", stop_grace_period: 1s }
volumes: { data: , thumbs: }
`,
    files: { '.env.example': 'DB_PASSWORD=of-this-app\n', ...more },
  };
}

export const mountpoint = (volume: string) => docker('volume', 'inspect', '--format', '{{.Mountpoint}}', volume);

/** The rows in the volume and in the app's folder. */
export const rows = (box: Box, name: string) => [
  readFileSync(join(mountpoint(`${name}_data`), 'rows'), 'utf8'),
  box.read(name, 'files/rows'),
];

export const addRow = (name: string, row: string) =>
  docker('exec', container(name, 'web').id, 'sh', '-c', `echo ${row} >> /data/rows; echo ${row} >> /files/rows`);

export function restic(box: Box, ...args: string[]) {
  const env = {
    ...process.env,
    RESTIC_REPOSITORY: box.env.BOX_BACKUP_REPOSITORY ?? join(box.state, 'backups'),
    RESTIC_PASSWORD_FILE: join(box.state, 'backup.key'),
    RESTIC_CACHE_DIR: join(box.folder, 'cache'),
  };
  return spawnSync('restic', args, { env, encoding: 'utf8' });
}

export function command(box: Box, ...words: string[]): string {
  const { status, stdout, stderr } = box.command('backup', ...words);
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

/** Whether a change of an app is under way, or was cut off. */
export const hasJournal = (box: Box) => readdirSync(box.state).some((name) => name.startsWith('change-journal'));

/** Nothing is left beside volumes and apps, no journal, no first pass, and the repository is sound. */
export function assertTidy(box: Box, name: string): void {
  assert.deepEqual(readdirSync(join(mountpoint(`${name}_data`), '..')), ['_data']);
  assert.deepEqual(readdirSync(box.installed), [name]);
  assert.ok(!hasJournal(box));
  const check = restic(box, 'check');
  assert.equal(check.status, 0, check.stderr);
}
