import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sshOption } from './ssh-option.ts';

test('the command of SSH reads no settings and takes only the pinned key', () => {
  const place = { host: 'nas', port: '23', user: 'box' };
  const command = sshOption(place, { key: '/s p/id', alias: 'boxgate-1', knownHosts: '/s p/boxgate-1' });
  assert.match(command, /^"sftp\.command='ssh' '-F' '\/dev\/null' '-i' '\/s p\/id' '-o' 'BatchMode=yes' /);
  assert.match(command, / '-o' 'StrictHostKeyChecking=yes' /);
  assert.match(command, / '-o' 'UserKnownHostsFile=""\/s p\/boxgate-1""' /);
  assert.match(command, / '-p' '23' '-l' 'box' '-s' '--' 'nas' 'sftp'"$/);
});
