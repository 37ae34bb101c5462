import { parseJsonBody } from '../http/body.ts';
import { clientAddress } from '../http/client-address.ts';
import { countHeader, type Head, type Service } from '../http/exchange.ts';
import { type Match, makeMatcher } from '../http/match.ts';
import { errorReply, type Reply } from '../http/reply.ts';
import { isJsonObject } from '../lib/json.ts';
import { type Authenticate, authorize, type Caller, type HeardCaller } from './boxes/authenticate.ts';
import type { Origin } from './boxes/register-box.ts';
import type { GatewayHandlers } from './handlers.ts';
import { RouteFilesFailed, StoreFailed, TunnelFailed } from './ports.ts';
import { Refusal, type RefusalName, refusals, refusalText, refuse } from './refusals.ts';
import { type RequestInput, requestInput } from './requests.ts';
import { type OperationId, operations, tokenOperations } from './validators.gen.ts';

/** choice/gateway/8 */
const maxBodyBytes = 64 * 1024;

type Handle = (input: RequestInput, from: HeardCaller | Caller | Origin) => Promise<Reply>;

/** The gateway's own rules of an exchange, around its handlers. `version` is the software's. */
export function gatewayService(handlers: GatewayHandlers, authenticate: Authenticate, version: string): Service {
  // The operation id ensures that each handler gets its own input.
  const byId = handlers as Record<OperationId, Handle>;
  return {
    server: `boxgate/${version}`,
    maxBodyBytes,
    headIsGet: false, // choice/gateway/2
    admit: refuseTwoAuthorizations,
    readBody: (_head, bytes) => readFields(bytes),
    match: ({ method, path }) => matchEndpoint(method, path),
    refuseUnknown: () => refuse('notFound'),
    async handle(found, body, head) {
      const match = found as Match<OperationId>;
      const fields = body as RequestInput;
      const handle = byId[match.operationId];
      if (!tokenOperations.has(match.operationId)) {
        return handle(requestInput(match, fields), { address: head.remoteAddress ?? '', client: clientAddress(head) });
      }
      // The token first, then the box in the path, then the fields. choice/gateway/15
      const { box, tokenHash } = await authenticate(head.headers.authorization);
      const { box_id: boxId } = match.params;
      if (boxId !== undefined) authorize(box, boxId);
      return handle(requestInput(match, fields), { box, tokenHash, from: sourceOf(head) });
    },
    refusalReply: (error) => (error instanceof Refusal ? refusalReply(error) : faultReply(error)),
    malformed: (reason) => replyOf('malformedRequest', { reason }),
    unknownMethod: () => replyOf('notFound'),
    bodyTooLarge: () => replyOf('bodyTooLarge'),
    internalError: (id) => replyOf('internalError', { id }),
  };
}

const findEndpoint = makeMatcher<OperationId>(operations);

/** A path parameter is one non-empty segment without a slash. gateway/endpoints/3, gateway/rules/1, choice/gateway/4 */
function matchEndpoint(method: string, path: string): Match<OperationId> | null {
  const match = findEndpoint(method, path);
  if (match === null) return null;
  const isOne = Object.values(match.params).every((value) => value !== '' && !value.includes('/'));
  return isOne ? match : null;
}

/** Boxes of boxgate send the boot id of their machine, because two machines may be behind one address. */
function sourceOf(head: Head): HeardCaller['from'] {
  const boot = String(head.headers['boxgate-boot'] ?? '');
  return { address: clientAddress(head), boot: /^[0-9a-f-]{36}$/.test(boot) ? boot : '' };
}

/** A proxy in front may have checked another header than this service would. choice/gateway/54 */
function refuseTwoAuthorizations({ rawHeaders }: Head): void {
  if (countHeader(rawHeaders, 'authorization') > 1)
    refuse('malformedRequest', { reason: 'more than one Authorization header' });
}

/** gateway/endpoints/4-6 */
function readFields(bytes: Buffer): RequestInput {
  const value = parseJsonBody(bytes);
  return isJsonObject(value) ? value : {};
}

function replyOf(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}): Reply {
  return errorReply(refusal, refusals[refusal].status, refusalText(refusal, fill));
}

/** A known fault, with a reason that names no file and no store: the log has all of it. choice/gateway/18, choice/gateway/48 */
function faultReply(error: unknown): Reply | null {
  if (error instanceof TunnelFailed) return replyOf('tunnelManagerFailed', { reason: error.message });
  if (error instanceof RouteFilesFailed) return replyOf('storageFailed', { reason: error.forBox });
  if (!(error instanceof StoreFailed)) return null;
  return replyOf('storageFailed', { reason: 'the store of the gateway failed; the gateway has written down why' });
}

const challenge = { 'WWW-Authenticate': 'Bearer' };

function refusalReply({ refusal, status, message }: Refusal): Reply {
  const reply = { ...errorReply(refusal, status, message), closes: refusal === 'malformedRequest' };
  const asksForToken = refusal === 'missingBearerToken' || refusal === 'invalidBoxToken';
  return asksForToken ? { ...reply, headers: { ...reply.headers, ...challenge } } : reply;
}
