import { isJsonObject, parseJsonBody } from '../http/body.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Head, Service } from '../http/exchange.ts';
import type { Match } from '../http/match.ts';
import type { Reply } from '../http/reply.ts';
import { type Authenticate, authorize, type Caller } from './boxes/authenticate.ts';
import type { Origin } from './boxes/register-box.ts';
import { matchEndpoint } from './endpoints.ts';
import type { GatewayHandlers } from './handlers.ts';
import type { Awaitable } from './ports.ts';
import { Refusal, type RefusalName, refusals, refusalText, refuse } from './refusals.ts';
import { type RequestInput, requestInput } from './requests.ts';
import { type OperationId, tokenOperations } from './validators.gen.ts';

/** choice/gateway/8 */
const maxBodyBytes = 64 * 1024;

type Handle = (input: RequestInput, from: Caller | Origin) => Awaitable<Reply>;

/** The gateway's own rules of an exchange, around its handlers. `version` is the software's. */
export function gatewayService(
  handlers: GatewayHandlers,
  authenticate: Authenticate,
  version: string,
): Service {
  // Which input and which caller belong to which handler is held by their types, and by the operation's id here.
  const byId = handlers as Record<OperationId, Handle>;
  return {
    server: `boxgate/${version}`,
    maxBodyBytes,
    headIsGet: false, // choice/gateway/1
    admit: refuseTwoAuthorizations,
    readBody: (_head, bytes) => (bytes.length === 0 ? noFields : readFields(bytes)),
    match: ({ method, path }) => matchEndpoint(method, path),
    refuseUnknown: () => refuse('notFound'),
    handle(found, body, head) {
      const match = found as Match<OperationId>;
      const fields = body as RequestInput;
      const handle = byId[match.operationId];
      if (!tokenOperations.has(match.operationId)) return handle(requestInput(match, fields), originOf(head));
      const caller = authenticate(head.headers.authorization);
      return caller instanceof Promise
        ? caller.then((known) => actAs(known, handle, match, fields))
        : actAs(caller, handle, match, fields);
    },
    refusalReply: (error) => (error instanceof Refusal ? refusalReply(error) : null),
    malformed: (reason) => replyOf('malformedRequest', { reason }),
    unknownMethod: () => replyOf('notFound'),
    bodyTooLarge: () => replyOf('bodyTooLarge'),
    internalError: (id) => replyOf('internalError', { id }),
  };
}

function originOf(head: Head): Origin {
  return { address: head.remoteAddress ?? '', client: clientAddress(head) };
}

/** The token first, then the box in the path, then the fields. choice/gateway/15 */
function actAs(caller: Caller, handle: Handle, match: Match<OperationId>, body: RequestInput) {
  const { box_id: boxId } = match.params;
  if (boxId !== undefined) authorize(caller, boxId);
  return handle(requestInput(match, body), caller);
}

/** Of two, a proxy before us may have gone by the other. choice/gateway/56 */
function refuseTwoAuthorizations({ headers, rawHeaders }: Head): void {
  if (headers.authorization === undefined) return;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  if (count > 1) refuse('malformedRequest', { reason: 'more than one Authorization header' });
}

const noFields: RequestInput = Object.freeze({});

/** gateway/endpoints/4-6, choice/gateway/10, choice/gateway/11 */
function readFields(bytes: Buffer): RequestInput {
  const value = parseJsonBody(bytes);
  return isJsonObject(value) ? value : noFields;
}

function replyOf(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}): Reply {
  return { status: refusals[refusal].status, body: { error: refusalText(refusal, fill) } };
}

/** choice/gateway/23 */
const challenge = { 'WWW-Authenticate': 'Bearer' };

function refusalReply({ refusal, status, message }: Refusal): Reply {
  const reply = { status, body: { error: message }, closes: refusal === 'malformedRequest' };
  const asksForToken = refusal === 'missingBearerToken' || refusal === 'invalidBoxToken';
  return asksForToken ? { ...reply, headers: challenge } : reply;
}
