import type { ComposeFacts } from '../../rules/compose/compose-file.ts';
import type { ProjectModel } from '../../rules/compose/project-model.ts';

/** The record of an app on disk: its last success, the facts read from its Compose files, and what Compose said. */
export type AppRecord = {
  facts: ComposeFacts;
  factsDigest: string;
  /** The model of the project with the digest `modelFor`; `null` if Compose gave none. */
  model: ProjectModel | null;
  modelFor: string;
  /** By service: digest of the texts and files of its configs and secrets at the last success. */
  inputs: Record<string, string>;
  /** Files that a change has replaced under a mount since the last success, relative to the app's directory. */
  replaced: string[];
  /** Digest of the project at the last success; `null` before the first. */
  succeeded: string | null;
  /** The project's containers at that time. */
  containers: readonly Named[];
  /** Why the last start failed, with secrets masked, and when, in ms; `null` if it succeeded. */
  failure: string | null;
  failedAt?: number;
  /** Why only a change of this app starts it; absent if any reconcile does. */
  held?: string;
  /** At the last success, the port that its name leads to was to be closed. */
  isClosed?: true;
};

type Named = { name: string; service: string };

/** The app's containers after a success, or why it failed. */
export type StepOutcome = { containers: readonly Named[] } | { failure: string };

const neverStarted = { inputs: {}, replaced: [], containers: [], succeeded: null, failure: null };

/** A project as it was read for a reconcile. `problem`: why Compose does not understand it; `null` if it does. */
export type ReadProject = Pick<AppRecord, 'facts' | 'factsDigest'> & {
  digest: string;
  model: ProjectModel;
  problem: string | null;
};

/**
 * The result of a reconcile for one app. `inputs` are those of its containers; `isCalm`: nothing was to be done;
 * `isClosed`: its port is to be closed; `now`: in ms.
 */
export type AppResult = {
  outcome: StepOutcome | undefined;
  inputs: AppRecord['inputs'];
  isCalm: boolean;
  isClosed: boolean;
  now: number;
};

/** The record of an app after a reconcile: the same object as before if nothing changed. */
export function nextRecord(
  { facts, factsDigest, digest, model, problem }: ReadProject,
  before: AppRecord | undefined,
  { outcome, inputs, isCalm, isClosed, now }: AppResult,
): AppRecord {
  const known = problem === null ? { model, modelFor: digest } : { model: null, modelFor: '' };
  const read = { facts, factsDigest, ...known };
  if (outcome !== undefined && 'containers' in outcome) {
    const containers = outcome.containers.map(({ name, service }) => ({ name, service }));
    const up = { ...read, inputs, replaced: [], succeeded: digest, containers, failure: null };
    return isClosed ? { ...up, isClosed } : up;
  }
  // The names of the containers stay: they show that the app was started before.
  const kept = { ...(before ?? neverStarted), ...read };
  if (outcome !== undefined) return { ...kept, succeeded: null, failure: outcome.failure, failedAt: now };
  const isRead = before?.factsDigest === factsDigest && before.modelFor === known.modelFor;
  if (isRead && !(isCalm && before.failure !== null)) return before;
  if (!isCalm) return kept;
  const { failedAt: _, ...calm } = kept as AppRecord;
  return { ...calm, failure: null };
}

/**
 * The names of recorded containers that are gone. A container that was renamed by hand, or made anew under another name,
 * counts as one of its service.
 */
export function missingContainers(recorded: readonly Named[], own: readonly Named[]): string[] {
  const others = own.filter(({ name }) => !recorded.some((one) => one.name === name));
  const gone = recorded.filter(({ name, service }) => {
    if (own.some((one) => one.name === name)) return false;
    const renamed = others.findIndex((one) => one.service === service);
    if (renamed !== -1) others.splice(renamed, 1);
    return renamed === -1;
  });
  return gone.map(({ name }) => name);
}
