import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Unit } from './model.ts';
import { openUnitsFolder } from './units-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-units-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const units = openUnitsFolder(folder);

const unitOf = (name: string, mainPid = 0): Unit => ({
  name,
  description: name,
  argv: ['/bin/true'],
  environment: {},
  workingDirectory: '/',
  collect: true,
  restart: 'no',
  restartSecMs: 100,
  activeState: 'active',
  subState: 'running',
  result: 'success',
  mainPid,
  execMainStatus: 0,
  invocationId: 'x',
  nRestarts: 0,
  starts: [],
});

test('reserves a name for the first caller, leaves no temporary files, and forgets units', () => {
  assert.equal(units.add(unitOf('a.service', 1)), true);
  assert.equal(units.add(unitOf('a.service', 2)), false);
  assert.equal(units.unit('a.service')?.mainPid, 1);
  units.change(unitOf('a.service', 3));
  assert.deepEqual(units.units(), [unitOf('a.service', 3)]);
  assert.deepEqual(readdirSync(join(folder, 'units')), ['a.service.json']);
  units.forget('a.service');
  assert.deepEqual([units.unit('a.service'), units.units()], [null, []]);
});

test('lists only calls whose log line is complete', () => {
  assert.deepEqual(units.calls(), []);
  units.log(['systemctl', 'is-active', 'a']);
  appendFileSync(join(folder, 'calls.log'), '["systemd-run","--un');
  assert.deepEqual(units.calls(), [['systemctl', 'is-active', 'a']]);
});

test('applies a fault as often as configured', () => {
  units.addFault({ tool: 'systemd-run', match: '--unit', status: 1, stderr: 'no', times: 2 });
  const fired = () => units.takeFault('systemd-run', ['--unit=a'])?.stderr ?? null;
  assert.equal(units.takeFault('systemctl', ['--unit=a']), null);
  assert.deepEqual([fired(), fired(), fired()], ['no', 'no', null]);
  assert.equal(units.faultsFired(), 2);
});
