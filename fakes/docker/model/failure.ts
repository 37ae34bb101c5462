/** A command that ends with a status and its words on standard error, as the real program would. */
export class Failure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the engine itself answers: one prefix, status 1. */
export function daemonError(text: string): Failure {
  return new Failure(1, `Error response from daemon: ${text}`);
}

/** What this fake does not know: never a guess, always 125 and one line. */
export function unknown(what: string): Failure {
  return new Failure(125, `fake docker: ${what} is not known here (fakes/docker/LIMITS.md)`);
}
