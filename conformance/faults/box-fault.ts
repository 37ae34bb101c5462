/**
 * A named fault of a box: one small deviation of our own server, made by changing its text, so that everything else
 * about it is a whole working box.
 */
export type BoxFault = {
  name: string;
  /** What it does wrong, as a sentence without a full stop. */
  does: string;
  /** The musts that it breaks: of each, a check has to fail. */
  kills: readonly string[];
  changes: readonly Change[];
  /** Only of a fault that answers nothing does a check that runs out of time count as failed. */
  hangs?: boolean;
  /** It fails with a fault of its own, or does not start: else a check that fails for that says nothing. */
  breaks?: boolean;
};

/** `from` stands exactly once in the file, whose path is relative to `src/`. */
export type Change = { file: string; from: string; to: string };

/** A row of a table: ids without their `box/`, separated by blanks. */
export function boxFault(name: string, does: string, kills: string, ...changes: Change[]): BoxFault {
  return { name, does, kills: kills.split(' ').map((id) => `box/${id}`), changes };
}

/** The same for a fault that is a failure of the server itself. */
export const breaking = (fault: BoxFault): BoxFault => ({ ...fault, breaks: true });

/** The changes of one file. */
export const inFile =
  (file: string) =>
  (from: string, to: string): Change => ({ file, from, to });
