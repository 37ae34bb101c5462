import { ResticFailed } from '../../restic/ports.ts';
import { Refusal, refuse } from '../api/refusals.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';

/** The message of such a failure; throws any other error again. */
export function toldFailure(error: unknown): string {
  if (!isTold(error)) throw error;
  return error.message;
}

/** Whether a failure is no fault of the program. */
export function isTold(error: unknown): error is Error {
  return [ResticFailed, ContainersFailed, StorageFailed, Refusal].some((kind) => error instanceof kind);
}

/** Refuses with the message of such a failure. */
export async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    refuse('backupsFailed', { reason: toldFailure(error) });
  }
}
