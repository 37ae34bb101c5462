import { performance } from 'node:perf_hooks';
import { shownName } from './shown-text.ts';

export type ChangeEnd = {
  outcome: 'ok' | 'failed' | 'refused';
  /** The result or the reason of a failure, in a few words; may be empty. */
  detail: string;
  /** The change itself succeeded, and something beside it failed. */
  isPartial?: boolean;
};

export type ChangeEntry = ChangeEnd & {
  /** A verb from a fixed set, such as `install`. */
  operation: string;
  /** The app, host or box; empty if the verb says all. */
  subject: string;
  /** The origin of the change: `from 192.0.2.7` or `at the start`; may be empty. */
  by: string;
  durationMs: number;
};

/** Called for every change when it has ended. Never throws. */
export type Journal = (entry: ChangeEntry) => void;

const mostSubject = 128;
const mostDetail = 300;

/** The log line of a change. Texts that others chose are shortened and cannot begin another line. */
export function changeLine({ operation, subject, by, outcome, detail, durationMs }: ChangeEntry): string {
  const what = subject === '' ? operation : `${operation} ${shortened(subject, mostSubject)}`;
  const separator = outcome === 'ok' ? ', ' : ': ';
  const why = detail === '' ? '' : `${separator}${shortened(detail, mostDetail)}`;
  const who = by === '' ? '' : ` (${shortened(by, mostSubject)})`;
  return `${what}: ${outcome}${why}, ${shownDuration(durationMs)}${who}`;
}

/**
 * Carries out a change and hands its entry to the journal. `work` may replace the subject by a more exact one. Throws
 * an error of `work` again after its entry was written. An outcome of `null` writes no entry.
 */
export async function journalled<Result>(
  journal: Journal,
  change: Pick<ChangeEntry, 'operation' | 'subject' | 'by'>,
  work: (rename: (subject: string) => void) => Result | Promise<Result>,
  outcomes: { ofResult(result: Result): ChangeEnd; ofError(error: unknown): ChangeEnd | null },
): Promise<Result> {
  const beganAt = performance.now();
  let { subject } = change;
  const end = (outcome: ChangeEnd | null) => {
    if (outcome === null) return;
    journal({ ...change, ...outcome, subject, durationMs: performance.now() - beganAt });
  };
  try {
    const result = await work((better) => {
      subject = better;
    });
    end(outcomes.ofResult(result));
    return result;
  } catch (error) {
    end(outcomes.ofError(error));
    throw error;
  }
}

function shortened(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most)];
  return shownName(characters.length > most ? `${characters.slice(0, most).join('')}…` : characters.join(''));
}

function shownDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
