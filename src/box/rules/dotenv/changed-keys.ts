import { readDotenv } from './dotenv.ts';

/** The keys that a new text of a `.env` adds, changes or removes, without values; empty if no value differs. */
export function changedKeys(before: string, after: string): string {
  const [old, now] = [readDotenv(before), readDotenv(after)];
  const changed = [...now.keys()].filter((key) => old.has(key) && old.get(key) !== now.get(key));
  const added = [...now.keys()].filter((key) => !old.has(key));
  const removed = [...old.keys()].filter((key) => !now.has(key));
  const parts = [
    ...(changed.length > 0 ? [`changed ${changed.join(', ')}`] : []),
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ];
  return parts.join('; ');
}
