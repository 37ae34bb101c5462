import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { until } from '../support/until.ts';
import { ended, machine } from './machine.ts';

export const job = 'boxgate-update.service';
export const stateDir = '/var/lib/boxgate';
const statePath = `${stateDir}/update-state.json`;

export type State = {
  stage?: string;
  attempt?: string;
  from?: string;
  to?: string;
  bytes?: number;
  bytes_total?: number;
  reason?: string;
  message?: string;
  outcome?: string;
  changelog?: string;
};

/** Reads the published state; `{}` if there was no update yet. */
function readState(): State {
  if (!existsSync(machine.path(statePath))) return {};
  return JSON.parse(readFileSync(machine.path(statePath), 'utf8'));
}

const isFinal = (state: State) => state.stage === 'done' || state.stage === 'rolled_back';

/** Polls the state while an update runs, and fails if it is ever invalid. */
export class Watch {
  readonly seen: State[] = [];
  readonly invalid: string[] = [];
  /** The previous attempt, whose end is ignored. */
  readonly #before = readState().attempt;
  readonly #timer = setInterval(() => this.#look(), 2);
  #last = '';

  #look(): void {
    let text: string;
    try {
      text = readFileSync(machine.path(statePath), 'utf8');
    } catch {
      return; // There was no update yet, or the machine is switched off.
    }
    if (text === this.#last) return;
    this.#last = text;
    try {
      const state: State = JSON.parse(text);
      if (state.attempt !== this.#before) this.seen.push(state);
    } catch {
      this.invalid.push(text);
    }
  }

  /** The observed stages in order, without repetitions. */
  get stages(): string[] {
    const all = this.seen.map(({ stage }) => stage ?? '');
    return all.filter((stage, index) => stage !== all[index - 1]);
  }

  reaches(stage: string): Promise<void> {
    return until(`stage ${stage}`, () => {
      const now = this.seen.at(-1);
      if (now !== undefined && isFinal(now) && now.stage !== stage)
        throw new Error(`ended instead of ${stage}: ${JSON.stringify(now)}`);
      return now?.stage === stage;
    });
  }

  stop(): void {
    clearInterval(this.#timer);
    assert.deepEqual(this.invalid, [], 'the state is valid JSON at every moment');
  }
}

/** The final state of an update, once its unit has ended. */
export async function theEnd(attempt?: string): Promise<State> {
  await until('the update ended', () => {
    const state = readState();
    return isFinal(state) && state.attempt !== attempt;
  });
  await ended(job);
  return readState();
}
