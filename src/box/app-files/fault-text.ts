import { ContainersFailed, type Core, StorageFailed } from '../core.ts';

/**
 * The owner's text for a fault that one app caused, while the other apps go on. Faults of the disk and of the container
 * tool have their own sentence. Any other fault is logged, and the text names its id in the log.
 */
export function faultText(box: Pick<Core, 'report'>, error: unknown): string {
  if (error instanceof StorageFailed || error instanceof ContainersFailed) return error.message;
  return `internal error (${box.report(error)}); the log of the box has the details`;
}
