import type { NotifyPorts } from '../../notify/ports.ts';
import type { Notice } from '../../notify/rules/notices.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { SelfUpdateParts } from '../self-update.ts';

export type NotifyParts = {
  notifications: NotifyPorts;
  /**
   * Tells the owner if the state of the notice's topic has changed, here or in an earlier run. Waits for nothing and
   * never throws. Does nothing while notifications are off.
   */
  notify(notice: Notice): void;
  /** Sends what is due, also what other processes have left, unless it is too early for another try. Never throws. */
  deliver(): Promise<void>;
};

export type NotifyBox = AppsBox & NotifyParts & SelfUpdateParts;
