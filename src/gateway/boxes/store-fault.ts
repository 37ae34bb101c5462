import { StoreFailed } from '../ports.ts';
import { refuse } from '../refusals.ts';

/** The operator's log has the reason. The response to the box does not name the store. Throws other errors again. */
export function refuseStoreFault(error: unknown, warn: (text: string) => void): never {
  if (!(error instanceof StoreFailed)) throw error;
  warn(error.message);
  refuse('storageFailed', { reason: 'the store of the gateway failed; the gateway has written down why' });
}
