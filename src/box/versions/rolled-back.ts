import { ignore } from '../../lib/ignore.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import type { VersionsBox } from './ports.ts';
import { afterFailure } from './rules/known-versions.ts';

/** Remembers that an app does not run with its newer version, so that it is not updated to that one by itself. */
export async function rememberRollBack(
  { versions, now, warn }: Pick<VersionsBox, 'versions' | 'now' | 'warn'>,
  app: string,
  cause: unknown,
): Promise<void> {
  if (!(cause instanceof ContainersFailed) || cause.unreachable) return;
  await versions.known
    .change((known) => afterFailure(known, app, now()))
    .catch(ignore(StorageFailed, (error) => warn(error.message)));
}
