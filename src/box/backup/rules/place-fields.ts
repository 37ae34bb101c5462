/** The form of each field of a place for backups. A value can be no option of a program, and no other address. */
import { isInHomeNetwork } from './host-address.ts';

export type PlaceKind = 'disk' | 'sftp' | 's3' | 'rest';

type Form = { what: string; isRight(text: string): boolean; expected: string; isSecret?: true };

const matches =
  (form: RegExp) =>
  (text: string): boolean =>
    form.test(text);

const segments = /^[\p{L}\p{N}_.+@~ /-]{0,255}$/u;
const withoutParents = (text: string) => segments.test(text) && !text.split('/').includes('..');
const printable = matches(/^[\x21-\x7e]{1,256}$/);
const oneLine = (text: string) => /^[^\p{Cc}]{0,256}$/u.test(text);

const forms: Readonly<Record<string, Form>> = {
  mount: { what: 'the disk', isRight: matches(/^\/[^\p{Cc}]{0,1023}$/u), expected: 'the place of a disk' },
  folder: {
    what: 'the folder',
    isRight: (text) => withoutParents(text) && text.split('/').every((name) => /^[^.]/.test(name)),
    expected: 'names of folders without a dot at their start, such as boxgate-backups',
  },
  host: {
    what: 'the server',
    isRight: (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/.test(text) || isIpv6(text),
    expected: 'a name or an address, such as nas.example.org or 192.168.1.20',
  },
  port: {
    what: 'the port',
    isRight: (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535,
    expected: 'a number from 1 to 65535, such as 22',
  },
  user: {
    what: 'the user',
    isRight: matches(/^[A-Za-z0-9_][A-Za-z0-9._@-]{0,127}$/),
    expected: 'letters, digits, ".", "_", "@" and "-"',
  },
  'rest user': { what: 'the user', isRight: oneLine, expected: 'one line of at most 256 characters' },
  path: {
    what: 'the folder',
    isRight: withoutParents,
    expected: 'a folder such as backups/box, without ".." and odd characters',
  },
  hostKey: {
    what: 'the key of the server',
    isRight: matches(/^[a-z0-9@.-]{1,64} [A-Za-z0-9+/]{16,8000}={0,2}$/),
    expected: 'its kind and its key',
  },
  server: {
    what: 'the server',
    isRight: isServer,
    expected:
      'an address such as https://s3.example.org; one with http:// only in the home network and by its numbers, such as http://192.168.1.20:9000',
  },
  bucket: {
    what: 'the bucket',
    isRight: matches(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/),
    expected: 'a name of letters, digits, ".", "_" and "-"',
  },
  accessKey: { what: 'the access key', isRight: printable, expected: 'a key without blanks', isSecret: true },
  secret: { what: 'the secret key', isRight: printable, expected: 'a key without blanks', isSecret: true },
  password: { what: 'the password', isRight: oneLine, expected: 'one line of at most 256 characters', isSecret: true },
};

/** What is wrong with the text of a field; `null` if nothing is. A secret is not quoted. */
export function fieldProblem(kind: string, name: string, text: string): string | null {
  const form = forms[`${kind} ${name}`] ?? forms[name];
  if (form === undefined || form.isRight(text)) return null;
  const found = text === '' ? 'nothing' : form.isSecret ? 'something else' : JSON.stringify(text.slice(0, 99));
  return `${form.what}: expected ${form.expected}; found ${found}`;
}

/** Without HTTPS others on the way can read the credentials, and a name may lead elsewhere at the next call. */
function isServer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > 255 || url.origin !== text.toLowerCase().replace(/:(?:443|80)$/, '')) return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isInHomeNetwork(url.hostname.replace(/^\[|\]$/g, ''));
}

function isIpv6(text: string): boolean {
  return /^[0-9A-Fa-f:.]{2,45}$/.test(text) && URL.canParse(`http://[${text}]`);
}
