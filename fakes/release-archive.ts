import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { programText } from './release-program.ts';
import { type TarType, tarEntry } from './tar-entry.ts';

/** How an installed version behaves: every one but `serves` is a failure of an update. */
export type Behaviour =
  | 'serves'
  /** Ends with status 1, even for `--help`. */
  | 'cannot be run'
  /** Ends with status 1 at each start. */
  | 'does not start'
  /** Ends with status 1 soon after its first answer. */
  | 'dies'
  /** Takes connections. */
  | 'never answers'
  | 'answers as another version';

/** An entry that no archive may have, added to one that is good otherwise. */
export type BadEntry =
  | 'climbs out'
  | 'absolute path'
  | 'symbolic link'
  | 'hard link'
  | 'device'
  | 'pipe'
  /** A file of 8 MiB, which the unpacked size of the statement leaves out. */
  | 'more than said';

export type Contents = {
  behaviour?: Behaviour;
  badEntry?: BadEntry;
  /** In package.json, where another name or version than that of the release belongs. */
  packageFile?: { name?: string; version?: string };
  /** A file of random bytes, for a download that takes a while. */
  paddingBytes?: number;
};

/** Name of the file that a bad entry makes outside the version's folder. */
export const climbedName = 'climbed-out';

/**
 * An archive of a release whose program, `bin/boxgate`, pretends to be a box or a gateway of that version. `outside` is
 * the folder that bad entries lead to. `unpackedSize` is the sum of the sizes of its files, in bytes.
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
