/** Mutants that no check notices, by key, each with a reason. Whoever adds one has looked at what it does. */
type Reasons = Readonly<Record<string, string>>;

/** No input makes a difference. */
const sameServer: Reasons = {};

/** Nothing that a client, an owner, an engine or a neighbour sees, or only in what the unit tests alone can stage. */
const notSeen: Reasons = {};

/** Somebody outside can tell: a check is missing. */
const missing: Reasons = {};

export const kindsOfReasons = [
  'the same server',
  'not seen from outside',
  'a check is missing',
  'not looked at yet',
] as const;
export type KindOfReason = (typeof kindsOfReasons)[number];

/** Why a mutant survives. */
export type Reason = { kind: KindOfReason; words: string };

const kind = (name: KindOfReason, reasons: Reasons): [string, Reason][] =>
  Object.entries(reasons).map(([key, words]) => [key, { kind: name, words }]);

export const survivors: ReadonlyMap<string, Reason> = new Map([
  ...kind('the same server', sameServer),
  ...kind('not seen from outside', notSeen),
  ...kind('a check is missing', missing),
]);
