import type { Notice, Subject } from '../core.ts';
import type { VersionsBox } from './ports.ts';
import { rememberRollBack } from './rolled-back.ts';
import { broughtByUpdate } from './rules/known-versions.ts';

export function versionsSubject(box: VersionsBox): Subject {
  return {
    rooms: async (of) => [(await import('./room.ts')).updatesRoom({ ...box, ...of })],
    notices: () => versionNotices(box),
    rolledBack: (app, cause) => rememberRollBack(box, app, cause),
  };
}

/** A newer version of an app is announced once. */
function versionNotices({ apps, versions }: VersionsBox): Notice[] {
  const known = versions.known.load().apps;
  return apps.all('installed').map(({ name }) => {
    const newer = broughtByUpdate(known[name] ?? []);
    const texts = newer.map(({ what, of, to }) => (what === 'catalogue' ? `version ${to}` : `a newer image of ${of}`));
    const state = newer.length === 0 ? 'ok' : newer.map(({ to }) => to).join(' ');
    const text = newer.length === 0 ? null : `There is ${texts.join(' and ')} for ${name}.`;
    return { topic: `version of ${name}`, state, text };
  });
}
