/** The refusals of one service: name -> status and text. `{…}` in a text is filled in by whoever refuses. */
type Refusals<Name extends string> = Readonly<
  Record<Name, { readonly status: number; readonly text: string }>
>;

/** What stands in the places of a text. */
export type Fill = Readonly<Record<string, string>>;

/** What a service does not do, and why, in the words of its API. The exchange answers it as it is. */
export class Refusal<Name extends string = string> extends Error {
  override readonly name = 'Refusal';
  readonly refusal: Name;
  readonly status: number;

  constructor(refusals: Refusals<Name>, refusal: Name, fill: Fill) {
    super(filledText(refusals, refusal, fill));
    this.refusal = refusal;
    this.status = refusals[refusal].status;
  }
}

/**
 * A refusal is an answer and no fault: nobody looks at where it was thrown, and to find that out costs more than the
 * whole rest of a request. It is thrown by who calls this, because V8 never compiles a function that only ever throws.
 */
export function makeRefusal<Name extends string>(
  refusals: Refusals<Name>,
  refusal: Name,
  fill: Fill,
): Refusal<Name> {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return new Refusal(refusals, refusal, fill);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The texts in parts: what stands as it is, and between two of those the word that is filled in. */
const partsOf = new Map<string, readonly string[]>();

/** The text of a refusal with all its places filled in; one that nothing is given for is a fault of the caller. */
export function filledText<Name extends string>(refusals: Refusals<Name>, refusal: Name, fill: Fill): string {
  const { text } = refusals[refusal];
  if (!text.includes('{')) return text;
  const parts = partsOf.get(text) ?? text.split(/\{(\w+)\}/);
  partsOf.set(text, parts);
  return parts.map((part, i) => (i % 2 === 0 ? part : filledIn(refusal, part, fill))).join('');
}

function filledIn(refusal: string, word: string, fill: Fill): string {
  const value = fill[word];
  if (value === undefined) throw new Error(`the refusal ${refusal} needs "${word}"`);
  return value;
}
