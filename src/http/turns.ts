import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

type Waiting = { request: IncomingMessage; begin: () => void };

/**
 * The order of the requests of one connection. A client that sends the next before it has an answer may count on what
 * the one before it does: only one of them is under way.
 */
export type Turns = {
  /** What the request has to wait for: its turn, on which `begin` is called, or nothing; `never` where the connection closes. */
  wait(request: IncomingMessage, begin: () => void): 'turn' | 'never' | 'nothing';
  /** The request is under way, and others of its connection wait for it. */
  take(request: IncomingMessage): void;
  /** The request is over. Nothing is begun any more on a connection that closes: the requests that waited are given. */
  over(request: IncomingMessage, closes: boolean): readonly IncomingMessage[];
};

export function makeTurns(): Turns {
  const lines = new WeakMap<Socket, Waiting[]>();
  const closing = new WeakSet<Socket>();
  return {
    wait(request, begin) {
      const line = lines.get(request.socket);
      if (line === undefined) return closing.has(request.socket) ? 'never' : 'nothing';
      line.push({ request, begin });
      return 'turn';
    },
    take({ socket }) {
      if (!lines.has(socket)) lines.set(socket, []);
    },
    over({ socket }, closes) {
      const line = lines.get(socket);
      if (closes) {
        closing.add(socket);
        lines.delete(socket);
        return (line ?? []).map(({ request }) => request);
      }
      const next = line?.shift();
      if (next === undefined) lines.delete(socket);
      // Not at once: a long line of short requests would be as deep a stack.
      else queueMicrotask(next.begin);
      return [];
    },
  };
}
