/** A failed command: exit status and message on standard error. */
export class Failure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** An error of the engine: a prefix and status 1. */
export function daemonError(text: string): Failure {
  return new Failure(1, `Error response from daemon: ${text}`);
}

/** A feature that the fake lacks: status 125 and one line, never a guess. */
export function unknown(what: string): Failure {
  return new Failure(125, `fake docker: ${what} is not known here (fakes/docker/LIMITS.md)`);
}
