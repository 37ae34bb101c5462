import { isJsonObject, parseJson } from '../lib/json.ts';
import type { CommandFailed } from '../lib/process/run-command.ts';
import { ResticFailed, type ResticFault } from './ports.ts';

/** Exit statuses since 0.17. */
const byStatus: Readonly<Record<number, ResticFault>> = { 10: 'no-repository', 11: 'locked', 12: 'wrong-key' };

/** In the order in which they count: a server that is away has no repository either. Restic 0.14 has only these. */
const byText: readonly (readonly [RegExp, ResticFault])[] = [
  [/no space left on device|disk quota exceeded|insufficient storage/i, 'no-room'],
  [/read-only file system/, 'read-only'],
  [
    /connection refused|connection reset|no such host|network is unreachable|no route to host|i\/o timeout|TLS handshake|server response unexpected|unexpected HTTP response|ssh: connect|ssh: Could not resolve|Host key verification failed|unable to start the sftp session|executable file not found|Permission denied \(|x509: |access denied/i,
    'away',
  ],
  [/wrong password or no key found/, 'wrong-key'],
  [/Resolving password failed|an empty password is not/, 'no-key'],
  [/unable to create lock|already locked/, 'locked'],
  [/Is there a repository at the following location|repository does not exist/, 'no-repository'],
  [/no matching ID found|not found in snapshot|no snapshot found/, 'no-snapshot'],
  [/ciphertext verification failed|invalid data returned|zero size|Unmarshal: |^panic: /m, 'damaged'],
];

const hints: Readonly<Record<ResticFault, string>> = {
  'no-restic': '',
  'no-repository':
    'the repository of the backups is not at {address}. Is its disk mounted? A new one is made only at an address that was never used',
  'no-key': 'the key of the backups cannot be read: the first backup makes it, and adopt takes that of other backups',
  'wrong-key': 'the repository at {address} has another key than backup.key in the state directory',
  locked: 'another program works on the repository at {address}; try again later',
  'no-room': 'there is no room left',
  'read-only': 'the disk is read-only',
  away: 'the repository at {address} does not answer',
  'no-snapshot': 'there is no such snapshot',
  damaged:
    "a part of the repository at {address} is damaged; restic's manual says how to repair it, or set another place for new backups",
  failed: 'restic failed',
};

export const noRestic =
  'the program restic is not installed, so there are no backups; install it (Debian, Ubuntu: apt install restic)';

/** What to do about SSH. Restic itself names only the end of the connection. */
const sshAdvice: readonly (readonly [RegExp, string])[] = [
  [
    /IDENTIFICATION HAS CHANGED/,
    'the server has another key than before; if that is right, forget the old one: ssh-keygen -R',
  ],
  [
    /Host key verification failed/,
    'root does not know the key of this server: connect once by hand, as root, with ssh',
  ],
  [/ssh: .{0,99}Permission denied/, "the server does not take root's key: ssh-copy-id, as root, brings it there"],
  [/unable to start the sftp session/, 'ssh to this server, as root, says why'],
];

/** For a server that was chosen on the page, which has its own key of this box. */
const pinnedAdvice: readonly (readonly [RegExp, string])[] = [
  [
    /Host key verification failed/,
    'the server shows another key than the one that was accepted: if that is right, ask it anew where its place is chosen',
  ],
  [
    /Permission denied \(/,
    "the server does not let this box in: the box's key, which the page shows, belongs to the keys of that user",
  ],
  // Restic may end before it has printed what ssh says.
  [
    /unable to start the sftp session/,
    "is the server on, does it let in the box's key, which the page shows, and has it the key that was accepted?",
  ],
];

/** Turns a failed command into a sentence for the owner, without the password of the address. */
export function resticFailed(error: CommandFailed, rawAddress: string): ResticFailed {
  if (error.notFound) return new ResticFailed(noRestic, 'no-restic', error);
  const address = shownAddress(rawAddress);
  const said = withoutPassword(error.stderrTail, rawAddress);
  const [pattern, known] = byText.find(([one]) => one.test(said)) ?? [];
  const fault = known ?? (error.isIdle ? 'away' : byStatus[error.status ?? 0]) ?? 'failed';
  const end = error.timedOut ? 'it did not end in time' : error.isIdle ? 'restic makes no progress' : '';
  const last = [end, reasonIn(said, pattern)].filter((part) => part !== '').join(': ') || `status ${error.status}`;
  const advices = error.argv.some((one) => one.includes('sftp.command=')) ? pinnedAdvice : sshAdvice;
  const [, advice] = (fault === 'away' && advices.find(([one]) => one.test(said))) || [];
  const text = `${hints[fault].replace('{address}', () => address)} (${last})`;
  return new ResticFailed(advice === undefined ? text : `${text}; ${advice}`, fault, error);
}

/** The line with restic's own reason. Tries before it and the lines of a stack trace after it may hide it. */
function reasonIn(text: string, pattern: RegExp | undefined): string {
  const lines = text
    .slice(-16_384)
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? messageOf(line) : line).split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Is there a repository'));
  const fatal = lines.findLast((line) => line.startsWith('Fatal: '));
  const ssh = lines.findLast((line) => line.startsWith('subprocess ssh: '));
  if (ssh !== undefined && lines.some((line) => line.includes('unable to start the sftp session')))
    return ssh.slice(0, 400).replace(/^subprocess ssh: (?:ssh: )?/, '');
  const known = lines.find((line) => pattern?.test(line));
  const told = fatal !== undefined && (known === undefined || pattern?.test(fatal)) ? fatal : (known ?? lines.at(-1));
  return withoutNumbers(
    (told ?? '').replace(/^Fatal: |^.{0,99} returned error, retrying after [^:]*: /, '').slice(0, 400),
  );
}

/** Without the names of parts of the repository and the ports of single connections, one cause has one text. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{10,}\b/g, '…').replaceAll(/:\d{1,5}->/g, '->');
}

/** Since 0.17 a command with `--json` gives its errors as objects. */
function messageOf(line: string): string {
  const object = parseJson(line);
  if (!isJsonObject(object)) return '';
  const { message, error } = object;
  return String(message ?? (isJsonObject(error) ? error.message : undefined) ?? '');
}

/** An address without the password that it may contain. */
export function shownAddress(address: string): string {
  return address.replace(/(\/\/[^/@:]*):.*@/, '$1:***@');
}

/** Restic masks passwords, but not in an address that it cannot read. */
function withoutPassword(text: string, address: string): string {
  const [, password = ''] = /\/\/[^/@:]*:(.*)@/.exec(address) ?? [];
  return password === '' ? text : text.replaceAll(address, shownAddress(address)).replaceAll(`:${password}@`, ':***@');
}
