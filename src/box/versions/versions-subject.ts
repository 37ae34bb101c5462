import { ignore } from '../../lib/ignore.ts';
import { ContainersFailed, type Notice, StorageFailed, type Subject } from '../core.ts';
import type { VersionsBox } from './ports.ts';
import { afterFailure, broughtByUpdate } from './rules/known-versions.ts';

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
    const texts = newer.map(({ what, of, to }) => (what === 'catalogue' ? `version ${to}` : `a newer build of ${of}`));
    const state = newer.length === 0 ? 'ok' : newer.map(({ to }) => to).join(' ');
    const text = newer.length === 0 ? null : `There is ${texts.join(' and ')} for ${name}.`;
    return { topic: `version of ${name}`, state, text };
  });
}

/** Remembers that an app does not run with its newer version, so that it is not updated to that one by itself. */
export async function rememberRollBack(
  { versions, now, warn }: Pick<VersionsBox, 'versions' | 'now' | 'warn'>,
  app: string,
  cause: unknown,
): Promise<void> {
  if (!(cause instanceof ContainersFailed) || cause.unreachable) return;
  await versions.known
    .change((known) => afterFailure(known, app, now()))
    .catch(ignore(StorageFailed, (error) => warn(error.message)));
}
