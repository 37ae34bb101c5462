import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { required } from './required.ts';

const checkout = join(import.meta.dirname, '..', '..', '..');
const boxgate = join(checkout, 'src', 'cli', 'boxgate.cjs');

export type Outcomes = {
  status: number | null;
  counts: Record<string, number>;
  /** Checks with an unexpected outcome, with the reason. */
  broken: string[];
  /** Why checks are not applicable, each reason once. */
  notApplicable: string[];
};

/** Starts the suite against our own server; its report goes to the artefacts. */
export function startSuite(api: 'box' | 'gateway', flags: string[], env: Record<string, string> = {}) {
  const file = join(required('BOXGATE_ARTEFACTS'), `conformance-of-a-${api}-on-real-parts.json`);
  rmSync(file, { force: true });
  const exec = `'${process.execPath}' '${boxgate}' ${api} serve`;
  const argv = ['conformance', api, '--profile', 'boxgate', '--exec', exec, '--report', `json=${file}`];
  const child = spawn(process.execPath, [boxgate, ...argv, '--report', 'text', ...flags], {
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  // A test that times out leaves no running suite behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  return { child, ended, file };
}

export async function runSuite(...asked: Parameters<typeof startSuite>): Promise<Outcomes> {
  const { ended, file } = startSuite(...asked);
  const status = await ended;
  if (!existsSync(file)) throw new Error(`the run ended with ${status} and no report`);
  const { checks, counts } = JSON.parse(readFileSync(file, 'utf8')) as {
    checks: { id: string; outcome: string; reason: string }[];
    counts: Record<string, number>;
  };
  const those = (holds: (outcome: string) => boolean) => checks.filter(({ outcome }) => holds(outcome));
  const broken = those((outcome) => !['pass', 'passed-late', 'not-applicable'].includes(outcome));
  const reasons = those((outcome) => outcome === 'not-applicable').map(({ reason }) => reason.split('\n', 1)[0]);
  return {
    status,
    counts,
    broken: broken.map(({ id, reason }) => `${id}: ${reason}`),
    notApplicable: [...new Set(reasons.map((reason = '') => reason))],
  };
}
