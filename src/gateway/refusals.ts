import { type Fill, filledText, makeRefusal } from '../lib/refusal.ts';

export { Refusal } from '../lib/refusal.ts';

/**
 * All refusals of the gateway with status and text. The fixed texts are examples of the same names in
 * spec/gateway.openapi.yaml. The caller of `refuse` fills in `{…}`.
 * gateway/errors
 */
export const refusals = {
  malformedRequest: { status: 400, text: 'malformed HTTP request: {reason}' },
  bodyTooLarge: { status: 413, text: 'the body has more than 64 KiB' },
  notFound: { status: 404, text: 'not found' },
  missingBearerToken: { status: 401, text: 'missing bearer token' },
  invalidBoxToken: { status: 401, text: 'invalid or expired box token' },
  tokenOfOtherBox: { status: 403, text: 'token does not authorize this box' },
  registrationFieldsMissing: { status: 400, text: 'registration_token and box_name are required' },
  registrationInvalid: { status: 400, text: '{reason}' },
  modeNotImplemented: { status: 501, text: 'registration works in the mode single only' },
  invalidRegistrationToken: { status: 401, text: 'invalid registration token' },
  boxLimitExceeded: { status: 403, text: 'box limit exceeded for this account' },
  tunnelManagerFailed: { status: 502, text: 'tunnel manager: {reason}' },
  routeFieldsMissing: { status: 400, text: 'app_name, subdomain, and port are required' },
  routeInvalid: { status: 400, text: '{reason}' },
  subdomainReserved: { status: 400, text: 'subdomain is reserved by this gateway: choose another one' },
  subdomainInUse: { status: 409, text: 'subdomain already in use' },
  routeLimitExceeded: { status: 403, text: 'route limit exceeded for this box' },
  routeNotFound: { status: 404, text: 'route not found' },
  storageFailed: { status: 500, text: '{reason}' },
  internalError: { status: 500, text: 'internal error ({id})' },
} as const satisfies Record<string, { status: number; text: string }>;

export type RefusalName = keyof typeof refusals;

export function refuse(refusal: RefusalName, fill: Fill = {}): never {
  throw makeRefusal(refusals, refusal, fill);
}

export function refusalText(refusal: RefusalName, fill: Fill = {}): string {
  return filledText(refusals, refusal, fill);
}
