/** Compiles only if `ok` narrows an entry of the installed list, both ways. */
import type { components } from 'boxgate/spec/box';

type Schemas = components['schemas'];

export function describe(entry: Schemas['InstalledEntry']): string {
  // @ts-expect-error Without a test of `ok`, the entry may be a broken app, which has no version.
  entry.version satisfies string;
  if (entry.ok) {
    entry satisfies Schemas['InstalledApp'];
    return `${entry.display_name} ${entry.version}: ${entry.state}`;
  }
  entry satisfies Schemas['BrokenApp'];
  return `${entry.name}: ${entry.error}`;
}

// @ts-expect-error An installed app is never `ok: false`.
false satisfies Schemas['InstalledApp']['ok'];
