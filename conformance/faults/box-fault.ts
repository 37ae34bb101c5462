/**
 * A named fault of a box: one small deviation of our own server, made by changing its text, so that everything else
 * about it is a whole working box.
 */
export type BoxFault = {
  name: string;
  /** What it does wrong, as a sentence without a full stop. */
  does: string;
  /** The musts that it breaks, or the choices: of each, a check has to fail. */
  kills: readonly string[];
  changes: readonly Change[];
  /** Only of a fault that answers nothing does a check that runs out of time count as failed. */
  hangs?: boolean;
  /** It fails with a fault of its own, or does not start: else a check that fails for that says nothing. */
  breaks?: boolean;
};

/** `from` stands exactly once in the file, whose path is relative to `src/`. */
export type Change = { file: string; from: string; to: string };

const fullId = (id: string) => (isChoice(id) ? id : `box/${id}`);
const isChoice = (id: string) => id.startsWith('choice/');

/** Breaks choices, which only our own profile asks for. */
export const breaksChoices = ({ kills }: BoxFault) => kills.some(isChoice);

/** A row of a table: ids separated by blanks, those of musts without their `box/`. */
export function boxFault(name: string, does: string, kills: string, ...changes: Change[]): BoxFault {
  return { name, does, kills: kills.split(' ').map(fullId), changes };
}

/** The same for a fault that is a failure of the server itself. */
export const breaking = (fault: BoxFault): BoxFault => ({ ...fault, breaks: true });

/** The changes of one file. */
export const inFile =
  (file: string) =>
  (from: string, to: string): Change => ({ file, from, to });
