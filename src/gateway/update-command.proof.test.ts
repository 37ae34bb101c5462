import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import packageFile from '../../package.json' with { type: 'json' };
import { makePublisher, signedArchive, statementWith } from '../self-update/testing/publisher.ts';
import { storeSchema } from './store/schema.ts';
import {
  applyUpdateCommand,
  checkUpdateCommand,
  type GatewayUpdateSettings,
  type Place,
  runUpdateJob,
} from './update-command.ts';

const { version } = packageFile;
const launcher = join(import.meta.dirname, '../cli/boxgate.cjs');
const publisher = makePublisher();
const place: Place = { isRoot: true, hasSystemd: true, version, program: [process.execPath, launcher] };
const { PATH } = process.env;

let folder = '';
let settings: GatewayUpdateSettings;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxgate-update-'));
  // A service manager that starts jobs at once. All other units are active.
  program('systemd-run', [
    'for word; do shift; case $word in --setenv=*) export "$(echo "$word" | cut -c10-)" ;; --) break ;; esac; done',
    `if [ -e ${folder}/refuse ]; then echo refused >&2; exit 1; fi`,
    `"$@" >${folder}/said 2>&1 & echo $! >${folder}/job`,
  ]);
  program('systemctl', [
    'state=active',
    `case "$*" in *gateway-update*) kill -0 "$(cat ${folder}/job)" 2>/dev/null || state=inactive ;; esac`,
    'case "$*" in *is-active*) echo $state; [ $state = active ]; exit ;; esac',
    `printf 'ActiveState=%s\\nMainPID=1\\nExecStart=${folder}/current/bin/boxgate\\n' $state`,
  ]);
  process.env.PATH = `${folder}:${PATH}`;
  writeFileSync(join(folder, 'key.pem'), publisher.key);
  mkdirSync(join(folder, version));
  symlinkSync(version, join(folder, 'current'));
});
after(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  rmSync(join(folder, 'update-state.json'), { force: true });
  settings = {
    stateDir: folder,
    releaseFeed: pathToFileURL(join(folder, 'release.json')).href,
    releaseKey: join(folder, 'key.pem'),
    softwareDir: folder,
    unit: 'boxgate-gateway.service',
    updateWaitSeconds: 1,
    migrateStore: false,
  };
});

function program(name: string, lines: string[]): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 });
}

function announce(next: string, fields: Record<string, unknown> = {}): void {
  const issued = new Date(Date.now() - 60_000).toISOString();
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const platform = `${process.platform}-${process.arch}`;
  const statement = statementWith({ version: next, platform, issued, expires, ...fields });
  const archives = { [platform]: signedArchive(publisher, statement) };
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ version: next, archives }));
}

const readState = () => JSON.parse(readFileSync(join(folder, 'update-state.json'), 'utf8'));
const migration = `migrates the store of the gateway, from schema ${storeSchema} to ${storeSchema + 1}.`;

describe('gateway update check', () => {
  test('choice/gateway/391: announces that a newer version migrates the store', async () => {
    announce('99.0.0', { store_schema: storeSchema + 1 });
    const { status, text } = await checkUpdateCommand(settings, place);
    assert.equal(status, 0);
    const lines = text.split('\n');
    assert.equal(lines.length, 3, text);
    assert.ok(lines[2]?.startsWith(`the new version ${migration}`), text);
    assert.match(text, /copied before.*PostgreSQL.*pg_dump.*--migrate-store$/);
  });

  test('names the setting if no feed is configured', async () => {
    const { status, text } = await checkUpdateCommand({ ...settings, releaseFeed: null }, place);
    assert.equal(status, 1);
    assert.match(text, /GATEWAY_RELEASE_FEED in \/etc\/boxgate\/gateway\.env/);
  });
});

describe('gateway update apply', () => {
  const apply = async (where: Partial<Place> = {}) => {
    const lines: string[] = [];
    const end = await applyUpdateCommand(settings, { ...place, ...where }, (line) => lines.push(line));
    return { ...end, lines };
  };

  test('choice/gateway/394: names the journal when the job ends without a result', async () => {
    const { status, text } = await apply({ program: ['false'] });
    assert.equal(status, 1);
    assert.match(text, /without a result: journalctl -u boxgate-gateway-update\.service shows why$/);
  });

  test('reports why the service manager does not start it', async (t) => {
    writeFileSync(join(folder, 'refuse'), '');
    t.after(() => rmSync(join(folder, 'refuse')));
    writeFileSync(join(folder, 'job'), '');
    const { status, text } = await apply();
    assert.equal(status, 1);
    assert.match(text, /refused/);
  });

  test('choice/gateway/394: needs root', async () => {
    assert.deepEqual(await apply({ isRoot: false }), {
      status: 1,
      text: 'run this as root: sudo boxgate gateway update apply',
      lines: [],
    });
  });

  test('choice/gateway/391: refuses a version that migrates the store before it downloads anything', async () => {
    announce('99.0.0', { store_schema: storeSchema + 1 });
    const refused = await runUpdateJob(settings, place, 'a');
    assert.equal(refused.status, 1);
    assert.ok(refused.text.startsWith(`rolled back: the new version ${migration}`), refused.text);
    assert.deepEqual([readState().outcome, readState().bytes], ['unchanged', undefined]);
  });
});

test('choice/gateway/394: without systemd, both commands explain how to update the Compose project', async () => {
  const there = { ...place, hasSystemd: false };
  for (const end of [
    await checkUpdateCommand(settings, there),
    await applyUpdateCommand(settings, there, () => undefined),
  ]) {
    assert.equal(end.status, 1);
    assert.match(end.text, /runs no systemd\. .*docker compose build --pull/);
  }
});
