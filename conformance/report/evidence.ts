import type { Journal } from '../kernel/journal.ts';
import type { RawExchange, RawRequest } from '../kernel/raw-exchange.ts';
import { describeEnd, lastLines } from '../kernel/subject.ts';
import type { SeenProcess } from '../run/subjects.ts';
import type { Clean } from './secrets.ts';
import { cut } from './shown-exchange.ts';

/** What was seen around a failure, oldest first: an output, bytes of a connection, calls of other programs. */
export type Evidence = { about: string; lines: string[] };

const shownProcesses = 3;
const shownOutput = 12;
const shownConnections = 3;
/** How many calls of other programs a report shows. */
export const shownCalls = 12;
const longestLine = 400;

/** How the check started the implementation, its last output, and how it ended. Nothing of silent ones that run. */
export function processEvidence(processes: readonly SeenProcess[]): Evidence[] {
  const first = Math.max(0, processes.length - shownProcesses);
  return processes.slice(first).flatMap(({ started, ended, stderr }, index) => {
    const end = ended();
    const output = lastLines(stderr(), shownOutput);
    const which = processes.length === 1 ? '' : ` (start ${first + index + 1} of ${processes.length})`;
    const lines = [
      ...(started === null ? [] : [`$ ${started}`]),
      ...output.map((line) => `| ${line}`),
      ...(end === null ? [] : [`it ${describeEnd(end)}`]),
    ];
    return lines.length === 0 ? [] : [{ about: `the implementation${which}`, lines }];
  });
}

/** The bytes of the latest connections, if the check did not send an ordinary request after them. */
export function byteEvidence(journal: Journal): Evidence[] {
  const sent = journal.filter((entry) => entry.by !== 'hand');
  const last = sent.findLastIndex((entry) => entry.by === 'request');
  const latest = sent.slice(last + 1).slice(-shownConnections);
  return latest.flatMap((entry) =>
    entry.by === 'bytes'
      ? [{ about: 'bytes of a connection', lines: connectionLines(entry.request, entry.exchange) }]
      : [],
  );
}

/** Says whether the implementation crashed or hangs if it sent no response to the latest bytes. */
export function whyNoBytes(journal: Journal, processes: readonly SeenProcess[]): string | null {
  const latest = journal.findLast((entry) => entry.by !== 'hand');
  if (latest?.by !== 'bytes' || latest.exchange === null || latest.exchange.responses.length > 0) return null;
  const end = processes.at(-1)?.ended() ?? null;
  if (end !== null && end.sent === null) return `the implementation crashed: it ${describeEnd(end)}`;
  return latest.exchange.isLate ? 'the implementation hangs: it sent no complete response to the latest bytes' : null;
}

function connectionLines({ parts, halfClose }: RawRequest, exchange: RawExchange | null): string[] {
  const lines = parts.map((part) =>
    typeof part === 'number' ? `  ${part} ms later` : `> ${escapedBytes(Buffer.from(part))}`,
  );
  if (halfClose === true) lines.push('> (end of the request)');
  if (exchange === null) return lines;
  if (exchange.bytes.length > 0) lines.push(`< ${escapedBytes(exchange.bytes)}`);
  if (exchange.closed) lines.push('< (closed by the implementation)');
  if (exchange.isLate) lines.push(`< (nothing ${exchange.bytes.length > 0 ? 'more ' : ''}until the time was up)`);
  return lines;
}

/** Printable ASCII as it is, every other byte as an escape. */
function escapedBytes(bytes: Buffer): string {
  const names: Record<string, string> = { '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' };
  const hex = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return bytes.toString('latin1').replace(/[^ -[\]-~]/g, (character) => names[character] ?? hex(character));
}

/** Hides secrets before it cuts lines, because half a secret would not be recognised. */
export const showEvidence = ({ about, lines }: Evidence, clean: Clean): Evidence => ({
  about,
  lines: lines.map((line) => harmless(cut(clean(line), longestLine))),
});

/** Makes control and bidirectional characters visible, so that a terminal does not act on them. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

export const evidenceLines = (evidence: readonly Evidence[]): string[] =>
  evidence.flatMap(({ about, lines }) => [`${about}:`, ...lines.map((line) => `  ${line}`)]);
