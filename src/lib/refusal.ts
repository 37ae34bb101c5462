import { shownName } from './shown-text.ts';

/** The refusals of one service: name -> status and text. A refusal fills in each `{…}` of its text. */
type Refusals<Name extends string> = Readonly<Record<Name, { readonly status: number; readonly text: string }>>;

/** The values for each `{…}` of a text, by name. */
export type Fill = Readonly<Record<string, string>>;

/** A request that a service refuses, with the reason. The exchange sends the message unchanged. */
export class Refusal<Name extends string = string> extends Error {
  override readonly name = 'Refusal';
  readonly refusal: Name;
  readonly status: number;
  readonly fill: Fill;

  constructor(refusals: Refusals<Name>, refusal: Name, fill: Fill) {
    super(filledText(refusals, refusal, fill));
    this.refusal = refusal;
    this.status = refusals[refusal].status;
    this.fill = fill;
  }
}

/**
 * Makes a refusal without a stack trace: it is a response, not a fault. The caller throws it, because V8 does not
 * compile a function that only throws.
 */
export function makeRefusal<Name extends string>(refusals: Refusals<Name>, refusal: Name, fill: Fill): Refusal<Name> {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return new Refusal(refusals, refusal, fill);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The text of a refusal with all its values; throws if a value is missing. */
export function filledText<Name extends string>(refusals: Refusals<Name>, refusal: Name, fill: Fill): string {
  return refusals[refusal].text.replaceAll(/\{(\w+)\}/g, (_, word) => {
    const value = fill[word];
    if (value === undefined) throw new Error(`the refusal ${refusal} needs "${word}"`);
    return shownName(value);
  });
}
