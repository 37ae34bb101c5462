import pg from 'pg';
import { StoreFailed } from '../../ports.ts';

/** The driver gave up waiting; it has no code of its own for that. */
const tookTooLong = 'timeout';

/** What PostgreSQL, or the way to it, answered instead of doing as asked. */
export class PostgresFailed extends StoreFailed {
  /** SQLSTATE of the server, or the code of the system's error; empty when there is none. */
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * For `.catch()` behind every call of the driver. What the server says is kept as the cause; an error of a connection
 * is not, because it may hold what the connection was made of.
 */
export function fail(error: unknown): never {
  if (error instanceof pg.DatabaseError) {
    throw new PostgresFailed(`PostgreSQL: ${error.message}`, error.code ?? '', { cause: error });
  }
  // A name with several addresses that all refuse is an error of errors, without words of its own.
  const { message, code = '' } = (
    error instanceof AggregateError ? error.errors[0] : error
  ) as NodeJS.ErrnoException;
  const isTimeout = /time(d ?)?out/i.test(message);
  throw new PostgresFailed(`PostgreSQL cannot be reached: ${message}`, isTimeout ? tookTooLong : code);
}

/** Lost to another transaction: a serialization failure or a deadlock. It may go well the next time. */
export function isConflict(error: unknown): boolean {
  return error instanceof PostgresFailed && (error.code === '40001' || error.code === '40P01');
}

/** The connection is gone: broken, or ended by a server that stops. */
export function isLost(error: unknown): error is PostgresFailed {
  return error instanceof PostgresFailed && (!isFromServer(error) || error.code.startsWith('57P'));
}

/** Worth another connection at once: a server that is slow gets no second helping. */
export function isStale(error: unknown): boolean {
  return isLost(error) && error.code !== tookTooLong;
}

/** Waited for a lock as long as was allowed. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof PostgresFailed && error.code === '55P03';
}

function isFromServer(error: PostgresFailed): boolean {
  return error.cause !== undefined;
}
