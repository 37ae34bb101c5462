import type { IncomingMessage } from 'node:http';

/** The requests whose operation is under way, their clients still there or not. */
export type InFlight = {
  readonly size: number;
  add(request: IncomingMessage): void;
  delete(request: IncomingMessage): void;
  /** Cuts off those of whom a part is still to come: nothing was begun for them. */
  dropIncomplete(): void;
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
    dropIncomplete() {
      for (const request of [...requests].filter(({ complete }) => !complete)) {
        requests.delete(request);
        request.destroy();
      }
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
