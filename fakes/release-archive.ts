import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Behaviour, programText } from './release-program.ts';
import { type TarType, tarEntry } from './tar-entry.ts';

/** A forbidden entry, added to an otherwise valid archive. */
export type BadEntry =
  | 'climbs out'
  | 'absolute path'
  | 'symbolic link'
  | 'hard link'
  | 'device'
  | 'pipe'
  /** A file of 8 MiB that the statement's unpacked size omits. */
  | 'more than said';

export type Contents = {
  behaviour?: Behaviour;
  badEntry?: BadEntry;
  /** A wrong name or version in package.json. */
  packageFile?: { name?: string; version?: string };
  /** Adds a file of random bytes, so that the download takes longer. */
  paddingBytes?: number;
};

/** The file that a bad entry creates outside the version's folder. */
export const climbedName = 'climbed-out';

/**
 * A release archive. Its program, `bin/boxgate`, imitates a box or gateway of that version. Bad entries point to
 * `outside`. `unpackedSize` is the sum of the file sizes in bytes.
 */
export function makeArchive(
  { version, platform, outside }: { version: string; platform: string; outside: string },
  { behaviour = 'serves', badEntry, packageFile = {}, paddingBytes = 0 }: Contents = {},
): { bytes: Buffer; unpackedSize: number } {
  const top = `boxgate-${version}-${platform}`;
  const files: [string, Buffer, number][] = [
    ['README.md', Buffer.from(`A pretended boxgate ${version}.\n`), 0o644],
    ['bin/boxgate', Buffer.from(programText(version, behaviour)), 0o755],
    ['package.json', Buffer.from(JSON.stringify({ name: 'boxgate', version, ...packageFile })), 0o644],
  ];
  if (paddingBytes > 0) files.push(['padding', randomBytes(paddingBytes), 0o644]);
  const folders = ['', '/bin'].map((name) => tarEntry(`${top}${name}/`, empty, 0o755, { type: 'folder' }));
  const entries = files.map(([name, content, mode]) => tarEntry(`${top}/${name}`, content, mode));
  const bad = badEntry === undefined ? [] : badEntries[badEntry](top, outside);
  const sizes = [...files.map(([, content]) => content.length), isHarmful(badEntry) ? harm.length : 0];
  return {
    bytes: gzipSync(Buffer.concat([...folders, ...entries, ...bad, Buffer.alloc(1024)])),
    unpackedSize: sizes.reduce((sum, size) => sum + size),
  };
}

const empty = Buffer.alloc(0);
const harm = Buffer.from('This file must not be here.\n');

const isHarmful = (entry?: BadEntry) =>
  entry === 'climbs out' || entry === 'absolute path' || entry === 'symbolic link';

const special = (name: string, type: TarType['type'], link?: string) =>
  tarEntry(name, empty, 0o644, link === undefined ? { type } : { type, link });

const badEntries: Record<BadEntry, (top: string, outside: string) => Buffer[]> = {
  'climbs out': (top) => [tarEntry(`${top}/../../${climbedName}`, harm)],
  'absolute path': (_top, outside) => [tarEntry(`${outside}/${climbedName}`, harm)],
  'symbolic link': (top, outside) => [
    special(`${top}/out`, 'symbolic link', outside),
    tarEntry(`${top}/out/${climbedName}`, harm),
  ],
  'hard link': (top) => [special(`${top}/again.json`, 'hard link', `${top}/package.json`)],
  device: (top) => [special(`${top}/null`, 'device')],
  pipe: (top) => [special(`${top}/pipe`, 'pipe')],
  'more than said': (top) => [tarEntry(`${top}/more`, Buffer.alloc(8 * 1024 * 1024))],
};
