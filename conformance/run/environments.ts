import { createHash } from 'node:crypto';
import type { AnyContext, Fixture } from '../kernel/check.ts';
import { patient } from '../kernel/patience.ts';
import { contractLimits, killAndWait, type Subject, startSubject } from '../kernel/subject.ts';
import type { RunnerOptions } from './runner-options.ts';
import { hostEnv, startFailure } from './subjects.ts';

/** All environments of a run. */
export type Environments<Context extends AnyContext> = {
  open: (name: string) => Promise<Context['environment']>;
  /** Removes all environments, but leaves the files of some. */
  dispose: (kept?: ReadonlySet<Context['environment']>) => Promise<unknown>;
};

/** The variant of an environment depends only on the seed and the name. */
export function makeEnvironments<Context extends AnyContext>({
  api,
  seed,
  environmentOptions = { parts: {} },
  keepsFiles,
}: RunnerOptions<Context>): Environments<Context> {
  const opened = new Map<Context['environment'], Context['environment']['dispose']>();
  return {
    open: async (name) => {
      const variant = createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE();
      const environment = await api.makeEnvironment({ variant, ...environmentOptions });
      const { dispose } = environment;
      opened.set(environment, dispose);
      // Which files stay is known after the last attempt of each check.
      if (keepsFiles !== undefined) environment.dispose = () => dispose({ keepFiles: true });
      return environment;
    },
    dispose: (kept) =>
      Promise.all([...opened].map(([environment, dispose]) => dispose({ keepFiles: kept?.has(environment) === true }))),
  };
}

/** `subject` is `null` if the check starts the implementation itself. */
export type SharedEnvironment<Environment> = { environment: Environment; subject: Promise<Subject> | null };

/** The environments of fixtures, each shared by all checks of that fixture. */
export type SharedEnvironments<Context extends AnyContext> = {
  open: (fixture: Fixture<Context['environment']>) => Promise<SharedEnvironment<Context['environment']>>;
  dispose: () => Promise<void>;
};

/** An environment whose implementation a check made crash is replaced before the next check. */
export function makeSharedEnvironments<Context extends AnyContext>(
  options: RunnerOptions<Context>,
  environments: Environments<Context>,
): SharedEnvironments<Context> {
  const shared = new Map<string, Promise<SharedEnvironment<Context['environment']>>>();
  return {
    open: (fixture) => {
      const open = () => openWithSubject(fixture, options, environments);
      const opened = (shared.get(fixture.name) ?? open()).then(async (one) => {
        const subject = await one.subject?.catch(() => null);
        return subject?.ended() ? open() : one;
      });
      shared.set(fixture.name, opened);
      return opened;
    },
    dispose: async () => {
      for (const one of shared.values()) {
        const opened = await one.catch(() => null);
        const subject = await opened?.subject?.catch(() => null);
        if (subject) await killAndWait(subject);
        await opened?.environment.dispose();
      }
    },
  };
}

async function openWithSubject<Context extends AnyContext>(
  fixture: Fixture<Context['environment']>,
  { argv, startTimeoutMs }: RunnerOptions<Context>,
  environments: Environments<Context>,
): Promise<SharedEnvironment<Context['environment']>> {
  const environment = await environments.open(fixture.name);
  await fixture.prepare(environment);
  const subject = startSubject({
    argv,
    env: { ...hostEnv(), ...environment.env() },
    readyTimeoutMs: Math.min(patient(startTimeoutMs), contractLimits.startMs),
  }).catch((error: unknown) => {
    throw startFailure(error);
  });
  return { environment, subject };
}
