/**
 * Every refusal of the box: name -> status and text. The fixed texts are the named examples of
 * spec/box.openapi.yaml under the same names; `{…}` is filled in by whoever refuses.
 * box/errors/1-10
 */
export const refusals = {
  malformedRequest: { status: 400, text: 'malformed HTTP request: {reason}' },
  foreignHost: {
    status: 421,
    text: 'the host {host} is not this box; start the server with --allowed-host {host} if it is',
  },
  crossSite: { status: 403, text: 'the request comes from a page of another site' },
  bodyTooLarge: { status: 413, text: 'the body has more than 1 MiB' },
  invalidJson: { status: 400, text: 'invalid JSON body' },
  bodyNotObject: { status: 400, text: 'body must be a JSON object' },
  invalidAppName: { status: 400, text: 'invalid app name' },
  nameMissing: { status: 400, text: "missing or empty 'name' field" },
  settingsMissing: { status: 400, text: "missing or invalid 'settings' object" },
  settingsNotObject: { status: 400, text: "'settings' must be an object" },
  notFound: { status: 404, text: 'not found' },
  methodNotAllowed: { status: 405, text: 'method not allowed' },
  appNotFound: { status: 404, text: 'there is no app {app}' },
  appNotInstalled: { status: 404, text: 'the app {app} is not installed' },
  unknownApp: { status: 400, text: 'there is no app {app} to install' },
  placeholderLeft: {
    status: 400,
    text: 'placeholder values left in {file}: {keys}; set them there or in the settings',
  },
  invalidValues: { status: 400, text: '{reason}' },
  brokenManifest: { status: 400, text: 'the app {app} has a broken manifest: {reason}' },
  deleteFailed: { status: 500, text: 'the app {app} could not be deleted: {reason}' },
  brokenEnv: { status: 400, text: '{reason}' },
  tooManyChanges: { status: 503, text: 'too many changes are waiting; try again later' },
  storageFailed: { status: 500, text: '{reason}' },
  containerToolFailed: { status: 502, text: '{reason}' },
  updateCheckFailed: { status: 502, text: 'the update check failed: {reason}' },
  updateStartFailed: { status: 502, text: 'the update could not be started: {reason}' },
  updateRunning: { status: 409, text: 'an update is already running' },
  internalError: { status: 500, text: 'internal error ({id})' },
} as const satisfies Record<string, { status: number; text: string }>;

export type RefusalName = keyof typeof refusals;

/** What the box does not do, and why, in the words of its API. The exchange answers it as it is. */
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
