/**
 * Every refusal of the gateway: name -> status and text. The fixed texts are the named examples of
 * spec/gateway.openapi.yaml under the same names; `{…}` is filled in by whoever refuses.
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
  subdomainInUse: { status: 409, text: 'subdomain already in use' },
  routeLimitExceeded: { status: 403, text: 'route limit exceeded for this box' },
  routeNotFound: { status: 404, text: 'route not found' },
  storageFailed: { status: 500, text: '{reason}' },
  internalError: { status: 500, text: 'internal error ({id})' },
} as const satisfies Record<string, { status: number; text: string }>;

export type RefusalName = keyof typeof refusals;

/** What the gateway does not do, and why, in the words of its API. The exchange answers it as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusal: RefusalName;
  readonly status: number;

  constructor(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}) {
    super(refusalText(refusal, fill));
    this.refusal = refusal;
    this.status = refusals[refusal].status;
  }
}

/** Ends what is being done with a refusal; a caller knows its name and no status. */
export function refuse(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}): never {
  throw makeRefusal(refusal, fill);
}

/**
 * A refusal is an answer and no fault: nobody looks at where it was thrown, and to find that out costs more than the
 * whole rest of a request. A function of its own, because V8 never compiles one that only ever throws.
 */
function makeRefusal(refusal: RefusalName, fill: Readonly<Record<string, string>>): Refusal {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return new Refusal(refusal, fill);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The texts in parts: what stands as it is, and between two of those the word that is filled in. */
const partsOf = new Map<string, readonly string[]>();

export function refusalText(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}): string {
  const { text } = refusals[refusal];
  if (!text.includes('{')) return text;
  const parts = partsOf.get(text) ?? text.split(/\{(\w+)\}/);
  partsOf.set(text, parts);
  return parts.map((part, i) => (i % 2 === 0 ? part : filledIn(refusal, part, fill))).join('');
}

function filledIn(refusal: RefusalName, word: string, fill: Readonly<Record<string, string>>): string {
  const value = fill[word];
  if (value === undefined) throw new Error(`the refusal ${refusal} needs "${word}"`);
  return value;
}
