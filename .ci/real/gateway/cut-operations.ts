import type { Gateway } from '../support/gateway.ts';
import type { Answer } from '../support/server-process.ts';
import type { KnownBox, KnownBoxes } from './known-boxes.ts';

/** An operation that may be interrupted. Records the response, or finds out the result if there was no response. */
export type CutOperation = {
  ask: () => Promise<Answer>;
  answered: (answer: Answer) => void;
  unanswered: () => Promise<void>;
};

export const operations: Record<
  string,
  (gateway: Gateway, known: KnownBoxes, box: KnownBox, name: string) => CutOperation
> = {
  register: (gateway, known, _box, name) => ({
    ask: () => gateway.register(name),
    answered: (answer) => void known.registered(answer),
    // The token is lost, whether the box exists or not.
    unanswered: async () => {},
  }),
  publish: (gateway, known, box, name) => {
    known.names.push(name);
    return {
      ask: () => gateway.as(box).publish(name, 4000),
      answered: (answer) => known.published(box, answer),
      async unanswered() {
        const route = (await known.ask(box))?.get(name);
        if (route !== undefined) box.routes.set(name, route);
      },
    };
  },
  unpublish: (gateway, known, box) => {
    const [[name, route] = ['', { id: '' }]] = box.routes;
    return {
      ask: () => gateway.as(box).unpublish(route.id),
      answered: (answer) => known.withdrawn(box, name, answer),
      async unanswered() {
        const routes = await known.ask(box);
        if (routes?.has(name) === false) box.routes.delete(name);
      },
    };
  },
  rotate: (gateway, known, box) => ({
    ask: () => gateway.as(box).rotate(),
    answered: (answer) => known.rotated(box, answer),
    async unanswered() {
      // The new token was lost, so the box can no longer be used.
      if ((await known.ask(box)) === null) known.forget(box);
    },
  }),
  deregister: (gateway, known, box) => ({
    ask: () => gateway.as(box).deregister(),
    answered: (answer) => known.deregistered(box, answer),
    async unanswered() {
      if ((await known.ask(box)) === null) known.forget(box);
    },
  }),
};
