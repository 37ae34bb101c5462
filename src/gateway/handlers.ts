import type { InputOf, ReplyOf } from '../http/operation.ts';
import type { operations } from './api.gen.ts';
import type { Caller } from './authenticate.ts';
import { type BoxGateway, deregisterBox, heartbeatBox, rotateBoxToken } from './boxes.ts';
import { type Awaitable, RouteFilesFailed, StoreFailed, TunnelFailed } from './ports.ts';
import { refuse } from './refusals.ts';
import { type RegistrationGateway, registerBox } from './register-box.ts';
import { listRoutes, publishRoute, type RouteGateway, unpublishRoute } from './routes.ts';
import type { OperationId } from './validators.gen.ts';

/** Everything that the use cases are given. */
export type Gateway = RegistrationGateway & BoxGateway & RouteGateway;

type OpenOperation = 'getHealth' | 'registerBox';
type Answer<Id extends OperationId> = Awaitable<ReplyOf<operations[Id]>>;

/** One handler for each operation of the document: the open ones learn the address they are asked from, others who asks. */
export type GatewayHandlers = {
  [Id in OpenOperation]: (input: InputOf<operations[Id]>, from: string) => Answer<Id>;
} & {
  [Id in Exclude<OperationId, OpenOperation>]: (input: InputOf<operations[Id]>, caller: Caller) => Answer<Id>;
};

/** Frozen, because answers that are always the same are made into bytes once. */
const done = Object.freeze({ status: 200 as const, body: Object.freeze({ status: 'ok' as const }) });

/** operationId -> use case -> answer: the whole API. */
export function makeHandlers(gateway: Gateway): GatewayHandlers {
  const answer = answering(gateway.warn);
  return {
    getHealth: () => done,
    registerBox: answer(async ({ registration_token, box_name }, from: string) => {
      const registration = { token: registration_token, name: box_name, from };
      const { box, name, token, tunnel } = await registerBox(gateway, registration);
      const { id, accountId } = box;
      const body = { box_id: id, box_token: token, account_id: accountId, box_name: name, tunnel };
      return { status: 201 as const, body };
    }),
    heartbeatBox: (_input, { box }) => {
      heartbeatBox(gateway, box);
      return done;
    },
    rotateBoxToken: answer(async (_input, caller: Caller) => ({
      status: 200 as const,
      body: { box_token: await rotateBoxToken(gateway, caller) },
    })),
    deregisterBox: answer(async (_input, { box }: Caller) => {
      await deregisterBox(gateway, box);
      return done;
    }),
    listRoutes: answer((_input, { box }: Caller) => {
      const list = listRoutes(gateway, box);
      return list instanceof Promise ? list.then(listed) : listed(list);
    }),
    publishRoute: answer(async ({ app_name, subdomain, port }, { box }: Caller) => ({
      status: 201 as const,
      body: await publishRoute(gateway, box, { appName: app_name, subdomain, port }),
    })),
    unpublishRoute: answer(async ({ route_id }, { box }: Caller) => {
      await unpublishRoute(gateway, box, route_id);
      return done;
    }),
  };
}

function listed<Body>(body: Body) {
  return { status: 200 as const, body };
}

/**
 * Makes handlers whose known faults are refusals that say what is wrong. What a handler answers at once is answered
 * at once. choice/gateway/19, choice/gateway/48
 */
function answering(warn: (text: string) => void) {
  const refuseFault = refusingFaults(warn);
  return <Input, From, Reply>(handle: (input: Input, from: From) => Awaitable<Reply>) =>
    (input: Input, from: From): Awaitable<Reply> => {
      try {
        const given = handle(input, from);
        return given instanceof Promise ? given.catch(refuseFault) : given;
      } catch (error) {
        return refuseFault(error);
      }
    };
}

/** The operator reads which file of which disk it was; a box that asked is told no more than it can use. */
function refusingFaults(warn: (text: string) => void) {
  return (error: unknown): never => {
    if (error instanceof TunnelFailed) refuse('tunnelManagerFailed', { reason: error.message });
    if (error instanceof RouteFilesFailed) {
      warn(error.message);
      refuse('storageFailed', { reason: error.forBox });
    }
    if (error instanceof StoreFailed) {
      warn(error.message);
      refuse('storageFailed', {
        reason: 'the store of the gateway failed; the gateway has written down why',
      });
    }
    throw error;
  };
}
