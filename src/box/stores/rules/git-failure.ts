import { shownName } from '../../../lib/shown-text.ts';

export type GitEnd = {
  status: number | null;
  stderrTail: string;
  notFound: boolean;
  timedOut: boolean;
  isIdle: boolean;
  isCut: boolean;
};

const notInstalled = 127;

/** What git says in known cases, and the sentence for the owner. */
const known: readonly (readonly [RegExp, string])[] = [
  [/no space left on device/i, 'the disk of this machine is full: make room on it'],
  [/died of signal 25|file size limit|file too large|out of memory/i, 'it is too large'],
  [/returned error: 30[1278]|redirect/i, 'its address leads to another one: add that one instead'],
  [/could not resolve host/i, 'nothing has its name: look at the address, and whether this box is online'],
  [
    /authentication failed|could not read username|terminal prompts disabled|returned error: 40[13]/i,
    'there is no repository at its address that everybody may read',
  ],
  [
    /not found|does not appear to be a git|returned error: 404|not valid: is this a git/i,
    'there is no git repository at its address',
  ],
  [
    /couldn't find remote ref/i,
    'there is no git repository at its address, or it is empty, or it lacks its default branch',
  ],
  [/connection refused|failed to connect|timed out|operation too slow/i, 'it does not answer'],
  [/certificate|ssl/i, 'its HTTPS certificate is not valid'],
];

/** Why a store in a git repository cannot be read, as it goes on after "the store NAME cannot be read:". */
export function gitFailure({ status, stderrTail, notFound, timedOut, isIdle, isCut }: GitEnd): string {
  if (notFound || status === notInstalled) return 'git is not installed: install the package git';
  if (isCut) return 'it has too many files';
  if (timedOut || isIdle) return 'it does not answer, or takes too long';
  const found = known.find(([pattern]) => pattern.test(stderrTail));
  if (found !== undefined) return found[1];
  const last =
    stderrTail.split('\n').findLast((line) => line.trim() !== '') ?? `git ended with ${status ?? 'a signal'}`;
  return `git says: ${shownName(last.slice(0, 300))}`;
}
