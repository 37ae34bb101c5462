/**
 * The fields of each kind of place for backups: how a form shows them, and what they may hold. A value can be no option
 * of a program, and no other address.
 */
import { isIpAddress } from '../../../lib/network/ip-ranges.ts';
import { isInHomeNetwork } from './host-address.ts';

export type PlaceKind = 'disk' | 'sftp' | 's3' | 'rest' | 'address';

/** What a text may be: the pattern and `also` have to hold for it. `plain` leaves out what does not count. */
type Form = {
  what: string;
  pattern: RegExp;
  expected: string;
  also?(text: string): boolean;
  plain?(text: string): string;
  isSecret?: true;
};

export type PlaceField = Form & {
  /** Empty if no form shows the field. */
  label: string;
  type: 'text' | 'choice' | 'number' | 'url' | 'password';
  /** What a form has at first. Counts also for an empty text that is not right. */
  usual: string;
};

const form = (what: string, pattern: RegExp, expected: string, more: Partial<Form> = {}): Form => {
  return { what, pattern, expected, ...more };
};
/** The folder that boxgate makes on a disk. */
const usualFolder = 'boxgate-backups';
const segments = /^[\p{L}\p{N}_.+@~ /-]{0,255}$/u;
const plainPath = (text: string) => text.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');

const disk = form('the disk', /^\/[^\p{Cc}]{0,1023}$/u, 'the place of a disk');
const folderNames = 'names of folders without a dot at their start, such as boxgate-backups';
const folder = form('the folder', segments, folderNames, {
  also: (text) => text.split('/').every((name) => /^[^.]/.test(name)),
});
const path = form('the folder', segments, 'a folder such as backups/box, without ".." and odd characters', {
  also: (text) => !text.split('/').includes('..'),
  plain: plainPath,
});
const pathWithin: Form = { ...path, plain: (text) => plainPath(text).replace(/^\//, '') };
const host = form(
  'the server',
  /^[A-Za-z0-9:][A-Za-z0-9._:-]{0,252}$/,
  'a name or an address, such as nas.example.org or 192.168.1.20',
  {
    also: (text) => !text.includes(':') || isIpAddress(text),
    plain: (text) => text.replace(/^\[(.{0,99})\]$/, '$1'),
  },
);
const port = form('the port', /^[1-9]\d{0,4}$/, 'a number from 1 to 65535, such as 22', {
  also: (text) => Number(text) <= 65535,
});
const user = form('the user', /^[A-Za-z0-9_][A-Za-z0-9._@-]{0,127}$/, 'letters, digits, ".", "_", "@" and "-"');
const hostKey = form(
  'the key of the server',
  /^[a-z0-9@.-]{1,64} [A-Za-z0-9+/]{16,8000}={0,2}$/,
  'its kind and its key',
);
const server = form(
  'the server',
  /^https?:/i,
  'an address such as https://s3.example.org; one with http:// only in the home network and by its numbers, such as http://192.168.1.20:9000',
  { also: isServer, plain: withScheme },
);
const bucket = form('the bucket', /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'a name of letters, digits, ".", "_" and "-"');
const printable = /^[\x21-\x7e]{1,256}$/;
const accessKey = form('the access key', printable, 'a key without blanks', { isSecret: true });
const secretKey = form('the secret key', printable, 'a key without blanks', { isSecret: true });
const oneLine = /^[^\p{Cc}]{0,256}$/u;
const anyUser = form('the user', oneLine, 'one line of at most 256 characters');
const address = form('the address', /^[^\p{Cc}]+$/u, 'an address of restic', { isSecret: true });
const password = form('the password', oneLine, 'one line of at most 256 characters', { isSecret: true });

const field = (label: string, type: PlaceField['type'], form: Form, usual = ''): PlaceField => {
  return { ...form, label, type, usual };
};

// biome-ignore format: a field is a row
const fields: Readonly<Record<PlaceKind, Readonly<Record<string, PlaceField>>>> = {
  disk: {
    mount: field('Disk', 'choice', disk),
    folder: field('Folder on the disk', 'text', folder, usualFolder),
  },
  sftp: {
    host: field('Server, such as nas.example.org', 'text', host),
    port: field('Port', 'number', port, '22'),
    user: field('User', 'text', user),
    path: field('Folder; without a slash at its start it is below the home of the user', 'text', path, usualFolder),
    hostKey: field('', 'text', hostKey),
  },
  s3: {
    server: field('Server, such as https://s3.example.org', 'url', server),
    bucket: field('Bucket', 'text', bucket),
    path: field('Folder in the bucket (may be empty)', 'text', pathWithin),
    accessKey: field('Access key', 'text', accessKey),
    secret: field('Secret key', 'password', secretKey),
  },
  rest: {
    server: field('Server, such as https://nas.example.org:8000', 'url', server),
    path: field('Folder (may be empty)', 'text', pathWithin),
    user: field('User', 'text', anyUser),
    password: field('Password', 'password', password),
  },
  address: { address: field('', 'text', address) },
};

/** Empty for another kind. */
export function fieldsOf(kind: string): [name: string, field: PlaceField][] {
  return Object.hasOwn(fields, kind) ? Object.entries(fields[kind as PlaceKind]) : [];
}

/** What is wrong with the text of a field; `null` if nothing is. A secret is not quoted. */
export function fieldProblem({ what, pattern, also, expected, isSecret }: PlaceField, text: string): string | null {
  if (pattern.test(text) && (also?.(text) ?? true)) return null;
  const found = text === '' ? 'nothing' : isSecret ? 'something else' : JSON.stringify(text.slice(0, 99));
  return `${what}: expected ${expected}; found ${found}`;
}

function withScheme(text: string): string {
  const address = text.replace(/\/$/, '');
  return address === '' || /^[a-z]{1,9}:\/\//i.test(address) ? address : `https://${address}`;
}

/** Without HTTPS others on the way can read the credentials, and a name may lead elsewhere at the next call. */
function isServer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > 255 || url.origin !== text.toLowerCase().replace(/:(?:443|80)$/, '')) return false;
  if (url.protocol === 'https:') return true;
  return isInHomeNetwork(url.hostname.replace(/^\[|\]$/g, ''));
}
