import pg from 'pg';
import { StoreFailed } from '../../ports.ts';

/** Our code for time-outs of the driver, which have no code of their own. */
const tookTooLong = 'timeout';

export class PostgresFailed extends StoreFailed {
  /** SQLSTATE of the server, or the code of a system error; `''` without one. */
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** For `.catch()` of every call of the driver. No connection error is a cause: it may contain the password. */
export function fail(error: unknown): never {
  if (error instanceof pg.DatabaseError) {
    throw new PostgresFailed(`PostgreSQL: ${error.message}`, error.code ?? '', { cause: error });
  }
  // If all addresses of a host refuse, the error is an AggregateError without a message.
  const { message, code = '' } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  const isSlow = /time(d ?)?out/i.test(message);
  const reason = `PostgreSQL cannot be reached: ${withRemedy(code, message)}`;
  throw new PostgresFailed(reason, isSlow ? tookTooLong : code);
}

function withRemedy(code: string, message: string): string {
  const [problem = ''] = message.split(/[;:]/); // Node's advice is for programmers.
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${problem}; use its name in the address of the store, or sslmode=verify-ca with sslrootcert=FILE`;
  }
  if (/CERT|SIGNATURE/.test(code)) {
    return `${problem}; name its authority by sslrootcert=FILE in the address of the store, or encrypt without a check by sslmode=no-verify`;
  }
  return message.includes('does not support SSL') ? `${message}: use sslmode=disable, or switch its ssl on` : message;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof PostgresFailed && error.code === tookTooLong;
}

/** A serialization failure or a deadlock. A retry may succeed. */
export function isConflict(error: unknown): boolean {
  return error instanceof PostgresFailed && (error.code === '40001' || error.code === '40P01');
}

/** The connection is broken, or was closed by a stopping server. */
export function isLost(error: unknown): error is PostgresFailed {
  return error instanceof PostgresFailed && (error.cause === undefined || error.code.startsWith('57P'));
}

/** A retry on a new connection may succeed. False for a slow server. */
export function isStale(error: unknown): boolean {
  return isLost(error) && error.code !== tookTooLong;
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof PostgresFailed && error.code === '55P03';
}
