import type { CommandResult } from '../lib/command-result.ts';
import { refuse } from './api/refusals.ts';
import type { Core } from './core.ts';
import type { Outcome } from './report.ts';
import { capitalized } from './report.ts';
import { momentText } from './rules/text/amounts.ts';

/** Work that this process carries out, or has carried out last. `step`: how far it is; may be empty. */
export type LongWork = { doing: string; step: string; since: Date; result: Outcome | null };

type Tell = (text: string) => void;

/**
 * Carries out one long work of a room at a time, and knows the last one until the process ends.
 * @param toldFailure - the message of a failure; throws what is a fault of the program
 */
export function makeLongWork({ now, warn }: Pick<Core, 'now' | 'warn'>, toldFailure: (error: unknown) => string) {
  let latest: LongWork | null = null;
  const begin = (doing: string, work: (tell: Tell, goOn: Tell) => Promise<number>): Outcome => {
    if (latest?.result === null) refuse('workUnderway', { doing: latest.doing });
    const own: LongWork = { doing, step: '', since: now(), result: null };
    latest = own;
    const lines: string[] = [];
    const goOn = (step: string) => {
      own.step = step;
    };
    void work((text) => lines.push(text), goOn)
      .catch((error: unknown) => {
        lines.push(toldFailure(error));
        return 1;
      })
      .then((status) => {
        own.result = { ok: status === 0, text: lines.join('\n') };
      })
      .catch((error: Error) => {
        warn(`${doing}: ${error.stack}`);
        own.result = { ok: false, text: 'an unexpected error; the log of boxgate-console has it' };
      });
    return { ok: true, text: `${doing} has begun`, has_begun: true };
  };
  return {
    latest: () => latest,
    begin,
    beginCommand: (doing: string, command: () => Promise<CommandResult>) =>
      begin(doing, async (tell) => {
        const { status, text } = await command();
        tell(text);
        return status;
      }),
    /** What the room's `follow` tells: nothing of work that belongs to another room. */
    shown(isOwn: (doing: string) => boolean = () => true): Outcome {
      if (latest === null || !isOwn(latest.doing)) return { ok: true, text: '' };
      const { doing, step, since, result } = latest;
      if (result !== null) return result;
      const begun = `${capitalized(doing)} is under way since ${momentText(since)}`;
      return { ok: true, text: `${begun}${step === '' ? '' : `: ${step}`}. You may leave this page.`, has_begun: true };
    },
  };
}
