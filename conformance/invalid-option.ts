/** An invalid command-line option. The command prints the message and exits with status 2. */
export class InvalidOption extends Error {}

/** Prints an invalid option and returns the exit status. Rethrows every other error. */
export function reportInvalidOption(error: unknown): number {
  if (!(error instanceof InvalidOption)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}
