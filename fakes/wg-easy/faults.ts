import type { Answer } from './handler/request.ts';
import type { Operation } from './handler/routes.ts';

/**
 * What can go wrong with one request, by script.
 *
 * | kind | effect |
 * | --- | --- |
 * | `fail-before` | 500, nothing was done |
 * | `fail-after` | 500, and it was done |
 * | `lag` | 500, stored, but the live interface was not told: it is behind until the next mutation that is |
 * | `drop-before`, `drop-after` | the connection ends without an answer, before or after the work |
 * | `hang-before`, `hang-after` | no answer ever, before or after the work |
 * | `slow` | the work is done, the answer comes `delayMs` later, or once the faults are cleared |
 * | `logged-out-after` | done, and refused as if the session had been lost, which all of them are then |
 * | `html` | nothing was done; 200 and a page, as a proxy's login would answer, or another `status` |
 * | `html-after` | the same, and it was done: a proxy that did not wait long enough |
 * | `broken-json` | done; 200 and the first half of a JSON text |
 * | `wrong-shape` | done; 200 and JSON of another kind, or what `edit` makes of it |
 * | `empty-list` | done; 200 and `[]` |
 * | `canned` | nothing was done; `status`, and the JSON text of `body`, or with `headers` another kind of text |
 * | `changed` | done; what `change` makes of the answer |
 * | `no-http` | nothing was done; bytes that are no answer of HTTP, and the connection ends |
 * | `overload` | nothing was done: 500 for whoever comes while another request is being answered |
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
  | 'canned'
  | 'changed'
  | 'no-http'
  | 'overload';

export type FaultScript = {
  kind: FaultKind;
  /** Which requests; `mutation` is whatever changes clients. */
  on: Operation | 'mutation' | 'any';
  /** How many requests it strikes; once unless said otherwise. */
  times?: number;
  /** How many that it could strike pass first. */
  skip?: number;
  delayMs?: number;
  status?: number;
  edit?: (body: string) => string;
  body?: string;
  headers?: Record<string, string>;
  change?: (answer: Answer) => Answer;
};

export type Fault = Readonly<FaultScript> & {
  /** How often it happened. */
  struck(): number;
  remove(): void;
};

export type Faults = {
  /** Scripts a fault; of several that fit, the one scripted first strikes. */
  script(fault: FaultScript): Fault;
  /** Takes the fault for a request, and counts it. */
  take(operation: Operation, inFlight: number): FaultScript | null;
  /** No fault strikes any more, and an answer that is held up goes out. */
  clear(): void;
  /** Told when the faults of this moment are cleared. */
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
    take: (operation, inFlight) => {
      const one = scripted.find(({ script, left }) => left > 0 && covers(script, operation, inFlight));
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

function covers({ kind, on }: FaultScript, operation: Operation, inFlight: number): boolean {
  if (kind === 'overload' && inFlight < 2) return false;
  return on === 'any' || on === operation || (on === 'mutation' && mutations.has(operation));
}
