import type { Answer } from './handler/request.ts';
import type { Operation } from './handler/routes.ts';

/**
 * Scripted faults of one request.
 *
 * | kind | effect |
 * | --- | --- |
 * | `fail-before` | 500, not executed |
 * | `fail-after` | 500, executed |
 * | `lag` | 500, stored, but the interface stays as it was until the next successful mutation |
 * | `drop-before`, `drop-after` | closes the connection without a response, before or after the execution |
 * | `hang-before`, `hang-after` | never responds, before or after the execution |
 * | `slow` | executed; responds after `delayMs`, or when the faults are cleared |
 * | `logged-out-after` | executed; all sessions are lost, and the response is that of a lost session |
 * | `html` | not executed; 200 (or `status`) and a page, like the login of a proxy |
 * | `html-after` | executed; the same response, like a proxy that timed out |
 * | `broken-json` | executed; 200 and the first half of the JSON |
 * | `wrong-shape` | executed; 200 and other JSON, or the result of `edit` |
 * | `empty-list` | executed; 200 and `[]` |
 * | `changed` | executed; the result of `change` |
 */
export type FaultKind =
  | 'fail-before'
  | 'fail-after'
  | 'lag'
  | 'drop-before'
  | 'drop-after'
  | 'hang-before'
  | 'hang-after'
  | 'slow'
  | 'logged-out-after'
  | 'html'
  | 'html-after'
  | 'broken-json'
  | 'wrong-shape'
  | 'empty-list'
  | 'changed';

export type FaultScript = {
  kind: FaultKind;
  /** The matching requests; `mutation` is every operation that changes clients. */
  on: Operation | 'mutation' | 'any';
  /** How many requests fail; 1 by default. */
  times?: number;
  /** How many matching requests succeed before the first one fails. */
  skip?: number;
  delayMs?: number;
  status?: number;
  edit?: (body: string) => string;
  change?: (answer: Answer) => Answer;
};

export type Fault = Readonly<FaultScript> & {
  /** How often the fault fired. */
  struck(): number;
  remove(): void;
};

export type Faults = {
  /** Adds a fault; of several matching faults the first applies. */
  script(fault: FaultScript): Fault;
  /** Consumes and counts the fault for a request. */
  take(operation: Operation): FaultScript | null;
  /** Removes all faults and releases delayed responses. */
  clear(): void;
  /** Aborts when the current faults are cleared. */
  cleared(): AbortSignal;
};

export const mutations: ReadonlySet<Operation> = new Set<Operation>([
  'create',
  'update',
  'rename',
  'delete',
  'enable',
  'disable',
]);

type Scripted = { script: FaultScript; skip: number; left: number; struck: number };

export function makeFaults(): Faults {
  let scripted: Scripted[] = [];
  let clearing = new AbortController();
  return {
    script: (script) => {
      const one: Scripted = { script, skip: script.skip ?? 0, left: script.times ?? 1, struck: 0 };
      scripted.push(one);
      const remove = () => {
        scripted = scripted.filter((other) => other !== one);
      };
      return { ...script, struck: () => one.struck, remove };
    },
    take: (operation) => {
      const one = scripted.find(({ script, left }) => left > 0 && covers(script, operation));
      if (one === undefined) return null;
      if (one.skip > 0) {
        one.skip -= 1;
        return null;
      }
      one.left -= 1;
      one.struck += 1;
      return one.script;
    },
    clear: () => {
      scripted = [];
      clearing.abort();
      clearing = new AbortController();
    },
    cleared: () => clearing.signal,
  };
}

function covers({ on }: FaultScript, operation: Operation): boolean {
  return on === 'any' || on === operation || (on === 'mutation' && mutations.has(operation));
}
