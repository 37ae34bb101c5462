import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenCaddy, ownerIn, unitIn } from './chosen-caddy.ts';

const root = 0;
const caddy = { id: '20', user: 105, group: 106, unit: 'caddy.service' };
const ofCron = { id: '10', user: 1000, group: 1000, unit: 'cron.service' };
const shown = 'Id=cron.service\nMainPID=7\n\nId=caddy.service\nMainPID=20\n';

test('the Caddy is the main program of its service, whoever else runs one in the group of a service', () => {
  assert.equal(chosenCaddy([ofCron, caddy], shown, root), caddy);
  assert.equal(chosenCaddy([ofCron], shown, root), null);
  // A group below a service, which its user may name as it likes.
  assert.equal(chosenCaddy([{ ...ofCron, unit: 'caddy.service' }], shown, root), null);
});

test('without a service only a Caddy of the own user counts', () => {
  const stranger = { ...ofCron, unit: null };
  const own = { id: '30', user: root, group: root, unit: 'cron.service' };
  assert.equal(chosenCaddy([stranger], '', root), null);
  assert.deepEqual(chosenCaddy([stranger, own], '', root), { ...own, unit: null });
});

test('the kernel tells service and owner of a process', () => {
  assert.equal(unitIn('0::/system.slice/caddy.service\n'), 'caddy.service');
  assert.equal(unitIn('1:name=systemd:/system.slice/a.service/b.service\n0::/\n'), 'b.service');
  for (const none of [
    '0::/\n',
    '0::/user.slice/user-1000.slice/user@1000.service\n',
    '0::/system.slice/docker-1.scope\n',
  ])
    assert.equal(unitIn(none), null);
  const status = 'Name:\tcaddy\nUid:\t1000\t105\t105\t105\nGid:\t1000\t106\t106\t106\n';
  assert.deepEqual(ownerIn(status), { user: 105, group: 106 });
  assert.equal(ownerIn(''), null);
});
