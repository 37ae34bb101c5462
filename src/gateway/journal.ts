import { type ChangeEnd, type ChangeEntry, type Journal, journalled } from '../lib/journal.ts';
import { RouteFilesFailed, StoreFailed, TunnelFailed } from './ports.ts';
import { Refusal } from './refusals.ts';

/**
 * Carries out a change and writes its line to the journal. `work` may replace the subject. A registration without a valid
 * token leaves no line, because anybody can send one.
 * choice/gateway/330
 */
export function asChange<Result>(
  journal: Journal,
  change: Pick<ChangeEntry, 'operation' | 'subject' | 'by'>,
  work: (rename: (subject: string) => void) => Promise<Result>,
  detailOf: (result: Result) => string = () => '',
): Promise<Result> {
  return journalled<Result>(journal, change, work, {
    ofResult: (result) => ({ outcome: 'ok', detail: detailOf(result) }),
    ofError: outcomeOfError,
  });
}

const beforeTheToken: readonly string[] = ['modeNotImplemented', 'invalidRegistrationToken'];

function outcomeOfError(error: unknown): ChangeEnd | null {
  if (error instanceof Refusal) {
    return beforeTheToken.includes(error.refusal) ? null : { outcome: 'refused', detail: error.message };
  }
  if (error instanceof TunnelFailed) return { outcome: 'failed', detail: `tunnel manager: ${error.message}` };
  const isKnown = error instanceof RouteFilesFailed || error instanceof StoreFailed;
  return { outcome: 'failed', detail: isKnown ? error.message : 'internal error' };
}
