import type { InputOf, ReplyOf } from '../http/operation.ts';
import type { operations } from './api.gen.ts';
import type { Caller, HeardCaller } from './boxes/authenticate.ts';
import { deregisterBox, heartbeatBox, rotateBoxToken } from './boxes/boxes.ts';
import { type Origin, registerBox } from './boxes/register-box.ts';
import { noteStoreFault } from './boxes/store-fault.ts';
import type { Gateway } from './gateway.ts';
import { asChange } from './journal.ts';
import { listRoutes, publishRoute, unpublishRoute } from './routes/routes.ts';
import { routeAccess } from './rules/route-access.ts';
import { hostOf } from './rules/route-view.ts';
import type { OperationId } from './validators.gen.ts';

type OpenOperation = 'getHealth' | 'registerBox';
type Answer<Id extends OperationId> = Promise<ReplyOf<operations[Id]>>;

/**
 * One handler for each operation of the document. Those without a token get the origin of the request, the others its
 * caller.
 */
export type GatewayHandlers = {
  [Id in OpenOperation]: (input: InputOf<operations[Id]>, from: Origin) => Answer<Id>;
} & {
  [Id in Exclude<OperationId, OpenOperation>]: (
    input: InputOf<operations[Id]>,
    caller: Id extends 'heartbeatBox' ? HeardCaller : Caller,
  ) => Answer<Id>;
};

const done = { status: 200 as const, body: Object.freeze({ status: 'ok' as const }) };

/** Calls the use case of each operation and converts its result to a reply. */
export function makeHandlers(gateway: Gateway): GatewayHandlers {
  const { journal, domain, warn } = gateway;
  return {
    getHealth: async () => done,
    registerBox: ({ registration_token, box_name }, from) => {
      const join = { operation: 'join', subject: box_name, by: `from ${from.client}` };
      const registration = { token: registration_token, name: box_name, from };
      return asChange(journal, join, async (rename) => {
        const { box, name, token, tunnel } = await registerBox(gateway, registration);
        const { id, accountId } = box;
        rename(`${id} (${name})`);
        const body = { box_id: id, box_token: token, account_id: accountId, box_name: name, tunnel };
        return { status: 201 as const, body };
      });
    },
    heartbeatBox: async (_input, caller) => {
      heartbeatBox(gateway, caller);
      return done;
    },
    rotateBoxToken: (_input, caller) => {
      const rotation = { operation: 'rotate-token', subject: caller.box.id, by: '' };
      return asChange(journal, rotation, async () => ({
        status: 200 as const,
        body: { box_token: await rotateBoxToken(gateway, caller) },
      }));
    },
    deregisterBox: (_input, { box }) => {
      const leave = { operation: 'deregister', subject: box.id, by: '' };
      return asChange(journal, leave, async () => {
        await deregisterBox(gateway, box);
        return done;
      });
    },
    listRoutes: async (_input, { box }) => ({
      status: 200,
      body: await listRoutes(gateway, box).catch(noteStoreFault(warn)),
    }),
    publishRoute: ({ app_name, subdomain, port, access: asked }, { box }) => {
      const publish = { operation: 'publish', subject: hostOf(subdomain, domain), by: `by ${box.id}` };
      const access = asked === undefined ? {} : { access: routeAccess(asked) };
      const work = async () => ({
        status: 201 as const,
        body: await publishRoute(gateway, box, { appName: app_name, subdomain, port, ...access }),
      });
      return asChange(journal, publish, work, () => `${app_name} on port ${port}`);
    },
    unpublishRoute: ({ route_id }, { box }) => {
      // If the text is not the id of a route, it may be a token in the wrong place.
      const unpublish = { operation: 'unpublish', subject: '', by: `by ${box.id}` };
      return asChange(journal, unpublish, async (rename) => {
        await unpublishRoute(gateway, box, route_id, rename);
        return done;
      });
    },
  };
}
