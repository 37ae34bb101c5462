/** Where backups go. On the page it has separate fields, so that nobody types an address of restic there. */
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { type Keep, keepText, parseKeep } from './backups-to-keep.ts';
import { fieldProblem, fieldsOf } from './place-fields.ts';

/** Every member is a text, as in the form and in the file. `path` has no slash at its ends, but that of `sftp` at its start. */
export type BackupPlace =
  | { kind: 'disk'; mount: string; folder: string }
  | { kind: 'sftp'; host: string; port: string; user: string; path: string; hostKey: string }
  | { kind: 's3'; server: string; bucket: string; path: string; accessKey: string; secret: string }
  | { kind: 'rest'; server: string; path: string; user: string; password: string }
  | { kind: 'address'; address: string };

type Fields = Readonly<Record<string, string>>;

/** A place from what an owner typed, or from the file, or what is wrong with it. Fills in what may be left out. */
export function placeOf(kind: string, typed: Fields): { place: BackupPlace } | { problem: string } {
  const known = fieldsOf(kind);
  if (known.length === 0) return { problem: 'there is no such kind of place' };
  const place: Record<string, string> = { kind };
  for (const [name, field] of known) {
    const text = (typed[name] ?? '').trim();
    const plain = field.plain?.(text) ?? text;
    const value = plain === '' && fieldProblem(field, '') !== null ? field.usual : plain;
    const problem = fieldProblem(field, value);
    if (problem !== null) return { problem };
    place[name] = value;
  }
  return { place: place as BackupPlace };
}

/** What was typed, with the present secrets where none was. Another server, or another user's place, must not learn them. */
export function withSecrets(kind: string, typed: Fields, before: BackupPlace | null): Fields {
  if (before?.kind !== kind) return typed;
  const known: Fields = { ...before };
  const empty = fieldsOf(kind).filter(([name, { isSecret }]) => isSecret && (typed[name] ?? '') === '');
  const filled = { ...typed, ...Object.fromEntries(empty.map(([name]) => [name, String(known[name])])) };
  const found = placeOf(kind, filled);
  const place: Fields = 'place' in found ? found.place : {};
  return ['server', 'user'].every((name) => place[name] === known[name]) ? filled : typed;
}

/** The address as restic takes it. That of a REST server has the password. */
export function addressOf(place: BackupPlace): string {
  switch (place.kind) {
    case 'disk':
      return `${place.mount}/${place.folder}`;
    case 'sftp': {
      const host = place.host.includes(':') ? `[${place.host}]` : place.host;
      return `sftp://${place.user}@${host}:${place.port}/${encodeURI(place.path)}`;
    }
    case 's3':
      return `s3:${place.server}/${[place.bucket, ...(place.path === '' ? [] : [place.path])].join('/')}`;
    case 'address':
      return place.address;
    case 'rest': {
      const user = place.user === '' ? '' : `${encodeURIComponent(place.user)}:${encodeURIComponent(place.password)}@`;
      const end = place.path === '' ? '' : `${encodeURI(place.path)}/`;
      return `rest:${place.server.replace('://', () => `://${user}`)}/${end}`;
    }
  }
}

/**
 * The option of restic with the command by which it reaches a server with SSH. Restic reads the option as a line of CSV,
 * and splits the command at blanks outside of quotes. The command reads no settings of SSH, has one key, and takes only
 * the server that has the pinned key.
 */
export function sshOption(
  { host, port, user }: Pick<Extract<BackupPlace, { kind: 'sftp' }>, 'host' | 'port' | 'user'>,
  { key, alias, knownHosts }: Readonly<Record<'key' | 'alias' | 'knownHosts', string>>,
): string {
  const options = [
    ...['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=15', 'IdentitiesOnly=yes', 'IdentityAgent=none'],
    ...['StrictHostKeyChecking=yes', 'GlobalKnownHostsFile=/dev/null', `UserKnownHostsFile="${knownHosts}"`],
    ...['UpdateHostKeys=no', `HostKeyAlias=${alias}`],
  ];
  const ssh = ['ssh', '-F', '/dev/null', '-i', key, ...options.flatMap((one) => ['-o', one])];
  const words = [...ssh, '-p', port, '-l', user, '-s', '--', host, 'sftp'];
  const command = words.map((one) => `'${one}'`).join(' ');
  return `"sftp.command=${command.replaceAll('"', '""')}"`;
}

/** The host that is asked for its addresses before a place is tried; `null` for others than servers. */
export function hostOf(place: BackupPlace): string | null {
  if (place.kind === 'sftp') return place.host;
  if (!('server' in place)) return null;
  return new URL(place.server).hostname.replace(/^\[(.{0,99})\]$/, '$1');
}

/** What the page has set, as `backup-place.json` has it. `null`: nothing. */
export type PlaceSettings = { place: BackupPlace | null; keep: Keep | null };

/** The settings in this text; undefined if it is in another form. */
export function parsePlaces(text: string): PlaceSettings | undefined {
  const content = text === '' ? {} : parseJson(text);
  if (!isJsonObject(content)) return undefined;
  const { place = null, keep = null } = content;
  const count = keep === null ? keep : parseKeep(String(keep));
  if (count === undefined) return undefined;
  if (place === null) return { place, keep: count };
  if (!isJsonObject(place)) return undefined;
  const texts = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, String(value)]));
  const found = placeOf(texts.kind ?? '', texts);
  return 'place' in found ? { place: found.place, keep: count } : undefined;
}

export function placesText({ place, keep }: PlaceSettings): object {
  return { place, keep: keep && keepText(keep) };
}
