import { randomUUID } from 'node:crypto';
import type { AnyContext } from '../kernel/check.ts';
import type { Violation } from '../kernel/contract.ts';
import type { Exchange } from '../kernel/exchange.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Subject } from '../kernel/subject.ts';
import { makeRequests } from './check-requests.ts';
import { type CheckRunOptions, makeSubjects, type SeenProcess } from './subjects.ts';

/** One run of one check: its context, and what the runner and the reports need. */
export type CheckRun<Context extends AnyContext> = {
  context: Context;
  /** The latest exchanges. */
  exchanges: Exchange[];
  journal: Journal;
  secrets: string[];
  /** The processes of the implementation that the check used, including those that did not start. */
  processes: SeenProcess[];
  /** When the check began, in milliseconds since 1970. */
  began: number;
  /** The responses that violate a part of the response contract that the check does not verify. */
  violations: Violation[];
  /** Whether the implementation did not answer something in time. */
  wasLate: () => boolean;
  /** The running implementation, if it was started like any other. `null` if the check chose how, or ended it. */
  plainSubject: () => Subject | null;
  dispose: () => Promise<void>;
  /** Kills everything at once, after a timeout. */
  abandon: () => void;
};

export function openCheckRun<Context extends AnyContext>(options: CheckRunOptions<Context>): CheckRun<Context> {
  const { environment, argv, seed } = options;
  const secrets: string[] = [];
  const subjects = makeSubjects(options);
  const { request, together, raw, exchanges, journal, violations, wasLate } = makeRequests(options, subjects);
  const hide = (text: string) => {
    if (!secrets.includes(text)) secrets.push(text);
  };
  const { start, startBeside, stop, kill, subject, plainSubject, dispose, abandon } = subjects;
  const context = options.openContext({
    environment,
    argv,
    seed,
    request,
    get: (path, headers = {}) => request({ method: 'GET', path, headers }),
    post: (path, body, headers = {}) => request({ method: 'POST', path, headers, body }),
    together,
    raw,
    start,
    startBeside,
    stop,
    restart: async () => {
      await stop();
      return start();
    },
    kill,
    subject,
    secret: () => {
      const text = `S3cr${randomUUID().replaceAll('-', '')}`;
      hide(text);
      return text;
    },
    hide,
    journal,
  });
  return {
    context,
    exchanges,
    journal,
    secrets,
    processes: subjects.processes,
    began: Date.now(),
    violations,
    wasLate,
    plainSubject,
    dispose,
    abandon,
  };
}
