import type { NotifyPorts } from '../../notify/ports.ts';
import { emptyLog } from '../../notify/rules/notices.ts';

/** Notifications in memory, off at first. `sent` has the messages that were taken. */
export class MemoryNotifications implements NotifyPorts {
  readonly machine = 'attic';
  readonly sent: string[] = [];
  kept: string | null = null;
  /** Why messages cannot be sent. */
  problem: string | null = null;
  stored = emptyLog;

  readonly log: NotifyPorts['log'] = {
    load: () => this.stored,
    save: async (log) => {
      this.stored = log;
    },
    inTurn: (work) => work(),
  };

  address = () => (this.kept === null ? null : { address: this.kept, isKept: true });

  async setAddress(address: string | null): Promise<void> {
    this.kept = address;
  }

  send: NotifyPorts['send'] = async (_address, text) => {
    if (this.problem !== null) return { isSent: false, answer: this.problem };
    this.sent.push(text);
    return { isSent: true, answer: 'answered 200 OK' };
  };
}
