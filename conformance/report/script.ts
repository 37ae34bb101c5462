import { type Exchange, headersAndBody } from '../kernel/exchange.ts';
import type { Journal, JournalEntry, ManualStep } from '../kernel/journal.ts';
import { namedTexts } from './named-texts.ts';
import { type Clean, cleaner } from './secrets.ts';
import { commented, filledIn, type Names, printed, quoted } from './shell-words.ts';
import { cut } from './shown-exchange.ts';

/**
 * Turns a journal into a script of bash and curl that sends the same bytes again, including the manual steps. An id or
 * token that a response issued and a later request needs is read from the new response. Other secrets are variables at
 * the top.
 */
export function scriptOf(journal: Journal, secrets: readonly string[]): string {
  const entries = withoutRepeats(journal);
  if (entries.length === 0) return '';
  const issued = issuedIn(journal);
  const names = namesOf(journal, issued, secrets);
  const given = new Map([...names].filter(([text]) => !issued.has(text)));
  const clean = cleaner(secrets);
  const lines = entries.flatMap((entry) => linesOf(entry, { names, issued, clean }));
  return [...head(lines, given), ...lines, ''].join('\n');
}

/** Longer bodies are left out of the script. */
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

type ScriptState = { names: Names; issued: Issued; clean: Clean };

function linesOf(entry: JournalEntry, state: ScriptState): string[] {
  if (entry.by === 'hand') return linesByHand(entry);
  if (entry.by === 'request') return linesOfRequest(entry, state);
  const parts = entry.request.parts.map((part) =>
    typeof part === 'number' ? `sleep ${part / 1000}` : printed(Buffer.from(part), state.names),
  );
  const end = entry.request.halfClose === true ? 'nc -N "$host" "$port"' : 'raw';
  const statuses = entry.exchange?.responses.map(({ status }) => status).join(', ') ?? '';
  return [`{ ${parts.join('; ')}; } | ${end}`, commented(`answered: ${statuses === '' ? 'nothing' : statuses}`), ''];
}

function linesOfRequest(
  { request, response }: Extract<JournalEntry, { by: 'request' }>,
  { names, issued, clean }: ScriptState,
): string[] {
  const { headers, body } = headersAndBody(request);
  const said =
    response === null
      ? 'there was no answer'
      : `answered: ${response.status} ${cut(clean(response.text), longestAnswer)}`;
  if (body.length > longestBody)
    return [commented(`${request.method} ${request.path} with ${body.length} bytes, too long for here; ${said}`), ''];
  const hasBody = request.body !== undefined;
  const sent = Object.entries(headers).filter(
    ([name, value]) => !(/^content-length$/i.test(name) && hasBody && value === String(body.length)),
  );
  if (hasBody && !sent.some(([name]) => /^content-type$/i.test(name))) sent.push(['Content-Type', '']);
  if (!hasBody && request.method === 'POST') sent.push(['Content-Length', '0']);
  const words = [
    'ask',
    ...(request.method === 'GET' ? [] : request.method === 'HEAD' ? ['-I'] : ['-X', request.method]),
    ...sent.flatMap(([name, value]) => ['-H', quoted(value === '' ? `${name}:` : `${name}: ${value}`, names)]),
    ...(hasBody ? ['--data-binary', '@-'] : []),
    ...target(request.path, names),
  ];
  const command = `${hasBody ? `${printed(body, names)} | ` : ''}${words.join(' ')}`;
  const taken = [...issued].filter(([, { from }]) => from === response && response !== null);
  return [...(taken.length === 0 ? [command] : keeping(command, taken, names)), commented(said), ''];
}

/** A target that curl would change is sent with `--request-target`. */
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

function linesByHand({ description: does, files = {}, commands = [] }: ManualStep): string[] {
  const writes = Object.entries(files).map(([path, content]) => {
    const folder = path.slice(0, path.lastIndexOf('/'));
    return `mkdir -p "${folder}" && ${printed(Buffer.from(content), new Map())} > "${path}"`;
  });
  return [commented(does), ...writes, ...commands, ''];
}

/** Leaves out each GET whose response is the same as the time before. */
function withoutRepeats(journal: Journal): Journal {
  const before = new Map<string, string>();
  return journal.filter((entry) => {
    if (entry.by !== 'request' || entry.request.method !== 'GET' || entry.response === null) return true;
    const { path, headers } = entry.request;
    const asked = JSON.stringify([path, headers]);
    const answered = `${entry.response.status} ${entry.response.text}`;
    const isRepeat = before.get(asked) === answered;
    before.set(asked, answered);
    return !isRepeat;
  });
}

type Origin = { key: string; from: Exchange };
/** Texts that a response issued and a later request contains, with their JSON keys. */
type Issued = ReadonlyMap<string, Origin>;

function issuedIn(journal: Journal): Issued {
  const sent = journal.map(textSent);
  const issued = new Map<string, Origin>();
  for (const [at, entry] of journal.entries()) {
    if (entry.by !== 'request' || entry.response === null) continue;
    for (const [key, text] of namedTexts(entry.response.json)) {
      const isNew = !sent.slice(0, at + 1).some((one) => one.includes(text));
      const isUsed = sent.slice(at + 1).some((one) => one.includes(text));
      if (text.length >= 6 && !/["\\]/.test(text) && isNew && isUsed && !issued.has(text))
        issued.set(text, { key, from: entry.response });
    }
  }
  return issued;
}

function textSent(entry: JournalEntry): string {
  if (entry.by === 'hand')
    return [...Object.values(entry.files ?? {}), ...(entry.commands ?? []), entry.description].join('\n');
  if (entry.by === 'bytes')
    return entry.request.parts
      .filter((part) => typeof part !== 'number')
      .map(String)
      .join('');
  const { headers, body } = headersAndBody(entry.request);
  return [entry.request.path, ...Object.values(headers), body.toString('utf8')].join('\n');
}

/** The variable names of issued texts and secrets, derived from their JSON keys. */
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
  for (const entry of journal) {
    if (entry.by !== 'request') continue;
    const [found] = namedTexts(entry.request.body).filter(([, value]) => value === text);
    if (found !== undefined) return found[0];
  }
  return 'secret';
}
