import type { Core, Stamp } from '../core.ts';
import type { KnownApp } from '../known-apps.ts';
import { isSame, isSettled } from './catalogue.ts';

type Folders = Pick<Core, 'folders'>;
type Work<T> = (text: string, app: KnownApp, environment: ReadonlyMap<string, string>) => T;
type Result<T> = { stamp: Stamp | null; value: T };

/**
 * Remembers what `work` finds in the readable part of an app's `.env` until that file or the manifest changes, so that a
 * large file costs nothing at each list.
 */
export function fromEnv<T>(work: Work<T>): (box: Folders, app: KnownApp) => T {
  // The catalogue makes a new object when the manifest changes.
  const known = new WeakMap<KnownApp, Result<T>>();
  return ({ folders }, app) => {
    const stamp = folders.stamp(app.path, '.env');
    const before = known.get(app);
    if (before !== undefined && isSame(before.stamp, stamp)) return before.value;
    const value = work(folders.viewEnv(app.name), app, folders.environment(app.name));
    // A link keeps its stamp when its target changes.
    if ((stamp === null || stamp.isFile()) && isSettled(stamp, Date.now())) known.set(app, { stamp, value });
    else known.delete(app);
    return value;
  };
}
