import { ResticFailed } from '../../restic/ports.ts';
import { Refusal, refuse } from '../api/refusals.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';

/** The message of a failure that is no fault of the program; throws any other error again. */
export function toldFailure(error: unknown): string {
  const isTold = [ResticFailed, ContainersFailed, StorageFailed, Refusal].some((kind) => error instanceof kind);
  if (!isTold) throw error;
  return (error as Error).message;
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
