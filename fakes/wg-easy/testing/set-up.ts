import type { WgEasy } from '../wg-easy.ts';

/** Actions before an exchange that the recording does not contain. */
export type SetUp = (manager: WgEasy, clock: { now: number }) => unknown;

const restart: SetUp = (manager) => manager.restart();
const interfaceGoes: SetUp = (manager) => manager.setInterface('gone');
const aMinutePasses: SetUp = (_, clock) => {
  clock.now += 60_000;
};

function removeAllBut(kept: string): SetUp {
  return (manager) => {
    for (const client of manager.clients()) if (client.name !== kept) manager.remove(client.id);
  };
}

/** Creates and removes 20 clients, then creates 252. */
const fillPool: SetUp = (manager) => {
  for (let round = 0; round < 20; round += 1) manager.add(`timing-${round}`);
  removeAllBut('')(manager, { now: 0 });
  for (let number = 0; number < 252; number += 1) manager.add(`p${number}`);
};

const ofBoth: Record<string, SetUp> = {
  'list-before-logout': removeAllBut('renamed-box'),
  'restart-session-old-cookie': restart,
  'broken-list': interfaceGoes,
  'pool-create-253rd': fillPool,
  'extra-broken-disable': interfaceGoes,
};

const ofVersion14: Record<string, SetUp> = {
  ...ofBoth,
  'nopassword-session-probe': (manager) => manager.restart({ password: null }),
  'race-before-login': (manager) => manager.restart({ password: 'throw-away-Passw0rd' }),
  'mended-login': restart,
  'extra-login-2': restart,
};

const ofVersion15: Record<string, SetUp> = {
  ...ofBoth,
  'secure-login': (manager) => manager.restart({ secureCookies: true, versionCheck: false }),
  'login-concurrent-1': (manager) => manager.restart({ secureCookies: false, versionCheck: true }),
  'healed-create': aMinutePasses,
  'login-wrong-concurrent-1': restart,
  'login-beside-create': restart,
  'totp-setup': restart,
  'list-expires-past-later': aMinutePasses,
  'before-broken-create': (manager) => {
    const over = manager.clients().find((client) => client.name === 'past-expiry');
    if (over !== undefined) manager.remove(over.id);
  },
  'mended-list': restart,
  'extra-list-mended': restart,
};

export function setUpBefore(manager: WgEasy, exchange: string): SetUp | undefined {
  return (manager.dialect === '14' ? ofVersion14 : ofVersion15)[exchange];
}
