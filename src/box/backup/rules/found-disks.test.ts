import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHaveBackups, offeredDisks } from './found-disks.ts';

const disk = (mount: string, device: number, uuid: string | null = null, free = 10) => ({
  ...{ mount, device, uuid, free },
  size: 100,
});

test('each further disk is offered once, without those of the system and the apps', () => {
  const own = [disk('/', 1, 'root'), disk('/srv/apps', 2)];
  const usb = disk('/mnt/usb', 3, 'usb');
  const mounted = [
    usb,
    disk('/mnt/same', 3),
    disk('/snapshots', 9, 'root'),
    disk('/mnt/apps', 2),
    disk('/cd', 5, null, 0),
  ];
  assert.deepEqual(offeredDisks(mounted, own), [{ mount: '/mnt/usb', free: 10, size: 100 }]);
});

test('no backups go to places of the system', () => {
  for (const mount of ['/mnt/usb', '/media/x', '/srv', '/run/media/me/usb', '/bootleg'])
    assert.ok(mayHaveBackups(mount));
  for (const mount of ['/', '/boot/efi', '/home', '/run/lock', '/var/tmp', '/root/x'])
    assert.ok(!mayHaveBackups(mount));
});
