/** A wrong option: said in one line that names it, exit status 2. */
export class WrongOption extends Error {}

/** What a command does with what its main function throws: a wrong option is told, everything else is thrown on. */
export function tellWrongOption(error: unknown): number {
  if (!(error instanceof WrongOption)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}
