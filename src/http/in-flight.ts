import type { IncomingMessage } from 'node:http';

/** The requests whose operation is under way, their clients still there or not. */
export type InFlight = {
  readonly size: number;
  add(request: IncomingMessage): void;
  delete(request: IncomingMessage): void;
  /** Settles when none is under way that `counts`. */
  none(counts?: (request: IncomingMessage) => boolean): Promise<void>;
};

export function makeInFlight(): InFlight {
  const requests = new Set<IncomingMessage>();
  const waiting = new Set<() => void>();
  return {
    get size() {
      return requests.size;
    },
    add: (request) => void requests.add(request),
    delete(request) {
      requests.delete(request);
      for (const check of waiting) check();
    },
    none(counts = () => true) {
      return new Promise((resolve) => {
        const check = () => {
          if ([...requests].some(counts)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
  };
}
