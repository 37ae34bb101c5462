import { type Exchange, headersAndBody } from '../kernel/exchange.ts';
import { isObject } from '../kernel/expect.ts';
import type { ByHand, Journal, Step } from '../kernel/journal.ts';
import { type Clean, cleaner } from './secrets.ts';
import { commented, filledIn, type Names, printed, quoted } from './shell-words.ts';
import { cut } from './shown-exchange.ts';

/**
 * What a check sent, as a script of bash and curl that somebody pastes against a running server: the same bytes in the
 * same order, and beside them what was done by hand. What one answer gave out and a later request needs, an id or a
 * token, is taken from the answer of that moment; a secret that no answer gave out is a variable at the head.
 */
export function scriptOf(journal: Journal, secrets: readonly string[]): string {
  const told = withoutRepeats(journal);
  if (told.length === 0) return '';
  const issued = issuedIn(journal);
  const names = namesOf(journal, issued, secrets);
  const given = new Map([...names].filter(([text]) => !issued.has(text)));
  const clean = cleaner(secrets);
  const lines = told.flatMap((step) => linesOf(step, { names, issued, clean }));
  return [...head(lines, given), ...lines, ''].join('\n');
}

/** A longer body is not written out. */
const longestBody = 16_384;
const longestAnswer = 300;

function head(lines: readonly string[], given: Names): string[] {
  const uses = (text: string) => lines.some((line) => line.includes(text));
  const folders = ['BUNDLED_APPS', 'INSTALLED_APPS'].filter((name) => uses(`$${name}`));
  return [
    `host=\${HOST:-127.0.0.1} port=\${PORT:?is where the server listens}`,
    ...folders.map((name) => `: "\${${name}:?is the directory that the server was given as BOX_${name}}"`),
    ...[...given.values()].map((name) => `: "\${${name}:=a-secret-that-is-not-shown}"`),
    ...(uses('ask ') ? ['ask() { curl -gsSi --path-as-is -m 60 "$@" && echo; }'] : []),
    ...(uses('| raw') ? [raw] : []),
    '',
  ];
}

const raw = 'raw() { exec 3<>"/dev/tcp/$host/$port" && cat >&3 && timeout 5 cat <&3; exec 3>&-; echo; }';

type Told = { names: Names; issued: Issued; clean: Clean };

function linesOf(step: Step, told: Told): string[] {
  if (step.by === 'hand') return linesByHand(step);
  if (step.by === 'request') return linesOfRequest(step, told);
  const parts = step.asked.parts.map((part) =>
    typeof part === 'number' ? `sleep ${part / 1000}` : printed(Buffer.from(part), told.names),
  );
  const end = step.asked.halfClose === true ? 'nc -N "$host" "$port"' : 'raw';
  const statuses = step.answered?.answers.map(({ status }) => status).join(', ') ?? '';
  return [
    `{ ${parts.join('; ')}; } | ${end}`,
    commented(`answered: ${statuses === '' ? 'nothing' : statuses}`),
    '',
  ];
}

function linesOfRequest(
  { asked, answer }: Extract<Step, { by: 'request' }>,
  { names, issued, clean }: Told,
): string[] {
  const { headers, body } = headersAndBody(asked);
  const said =
    answer === null
      ? 'there was no answer'
      : `answered: ${answer.status} ${cut(clean(answer.text), longestAnswer)}`;
  if (body.length > longestBody)
    return [
      commented(`${asked.method} ${asked.path} with ${body.length} bytes, too long for here; ${said}`),
      '',
    ];
  const hasBody = asked.body !== undefined;
  const sent = Object.entries(headers).filter(
    ([name, value]) => !(/^content-length$/i.test(name) && hasBody && value === String(body.length)),
  );
  if (hasBody && !sent.some(([name]) => /^content-type$/i.test(name))) sent.push(['Content-Type', '']);
  if (!hasBody && asked.method === 'POST') sent.push(['Content-Length', '0']);
  const words = [
    'ask',
    ...(asked.method === 'GET' ? [] : asked.method === 'HEAD' ? ['-I'] : ['-X', asked.method]),
    ...sent.flatMap(([name, value]) => [
      '-H',
      quoted(value === '' ? `${name}:` : `${name}: ${value}`, names),
    ]),
    ...(hasBody ? ['--data-binary', '@-'] : []),
    ...target(asked.path, names),
  ];
  const command = `${hasBody ? `${printed(body, names)} | ` : ''}${words.join(' ')}`;
  const taken = [...issued].filter(([, { from }]) => from === answer && answer !== null);
  return [...(taken.length === 0 ? [command] : keeping(command, taken, names)), commented(said), ''];
}

/** A target that curl would take for something else goes as it is. */
function target(path: string, names: Names): string[] {
  if (/^\/[\w.~/%=&?,:@+-]*$/.test(path)) return [`"http://$host:$port${filledIn(path, names)}"`];
  return ['--request-target', quoted(path, names), '"http://$host:$port/"'];
}

function keeping(command: string, taken: [string, Origin][], names: Names): string[] {
  const kept = taken.map(
    ([text, { key }]) =>
      `${names.get(text)}=$(printf '%s' "$answer" | sed -n 's/.*"${key}" *: *"\\([^"]*\\)".*/\\1/p')`,
  );
  return [`answer=$(${command})`, `printf '%s\\n' "$answer"`, ...kept];
}

function linesByHand({ does, files = {}, commands = [] }: ByHand): string[] {
  const writes = Object.entries(files).map(([path, content]) => {
    const folder = path.slice(0, path.lastIndexOf('/'));
    return `mkdir -p "${folder}" && ${printed(Buffer.from(content), new Map())} > "${path}"`;
  });
  return [commented(does), ...writes, ...commands, ''];
}

/** Without the reads that were answered as the time before. */
function withoutRepeats(journal: Journal): Journal {
  const before = new Map<string, string>();
  return journal.filter((step) => {
    if (step.by !== 'request' || step.asked.method !== 'GET' || step.answer === null) return true;
    const { path, headers } = step.asked;
    const asked = JSON.stringify([path, headers]);
    const answered = `${step.answer.status} ${step.answer.text}`;
    const isRepeat = before.get(asked) === answered;
    before.set(asked, answered);
    return !isRepeat;
  });
}

type Origin = { key: string; from: Exchange };
/** What an answer gave out that a later request has in it, with the key that it stood under. */
type Issued = ReadonlyMap<string, Origin>;

function issuedIn(journal: Journal): Issued {
  const sent = journal.map(textSent);
  const issued = new Map<string, Origin>();
  for (const [at, step] of journal.entries()) {
    if (step.by !== 'request' || step.answer === null) continue;
    for (const [key, text] of namedTexts(step.answer.json)) {
      const isNew = !sent.slice(0, at + 1).some((one) => one.includes(text));
      const isUsed = sent.slice(at + 1).some((one) => one.includes(text));
      if (text.length >= 6 && !/["\\]/.test(text) && isNew && isUsed && !issued.has(text))
        issued.set(text, { key, from: step.answer });
    }
  }
  return issued;
}

function textSent(step: Step): string {
  if (step.by === 'hand')
    return [...Object.values(step.files ?? {}), ...(step.commands ?? []), step.does].join('\n');
  if (step.by === 'bytes')
    return step.asked.parts
      .filter((part) => typeof part !== 'number')
      .map(String)
      .join('');
  const { headers, body } = headersAndBody(step.asked);
  return [step.asked.path, ...Object.values(headers), body.toString('utf8')].join('\n');
}

function namedTexts(value: unknown, key = ''): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((one) => namedTexts(one, key));
  return isObject(value) ? Object.entries(value).flatMap(([name, one]) => namedTexts(one, name)) : [];
}

/** The variable of each text that is issued or a secret: after its key, or else by a number. */
function namesOf(journal: Journal, issued: Issued, secrets: readonly string[]): Names {
  const sent = journal.map(textSent).join('\n');
  const hidden = secrets.filter((text) => text.length >= 8 && sent.includes(text) && !issued.has(text));
  const keys = new Map<string, string>([
    ...hidden.map((text): [string, string] => [text, keyIn(journal, text)]),
    ...[...issued].map(([text, { key }]): [string, string] => [text, key]),
  ]);
  const names = new Map<string, string>();
  for (const [text, key] of keys) {
    const base = key
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^(?=\d|$)/, 'TEXT_');
    const alike = [...names.values()].filter((name) => name.replace(/_\d+$/, '') === base).length;
    names.set(text, alike === 0 ? base : `${base}_${alike + 1}`);
  }
  return names;
}

function keyIn(journal: Journal, text: string): string {
  for (const step of journal) {
    if (step.by !== 'request') continue;
    const [found] = namedTexts(step.asked.body).filter(([, value]) => value === text);
    if (found !== undefined) return found[0];
  }
  return 'secret';
}
