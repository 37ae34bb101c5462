import type { NoticeLog } from './rules/notices.ts';

export type NotifyPorts = {
  /** Where messages go; `null` if notifications are off. The address may have a token. Throws StorageFailed. */
  address(): NotifyAddress | null;
  /** Keeps an address, which counts before that of the settings; `null` forgets it. Throws StorageFailed. */
  setAddress(address: string | null): Promise<void>;
  /** Sends a message once. Never throws. */
  send(address: string, text: string): Promise<Sent>;
  log: NoticeFile;
};

/** `isKept`: whether the box keeps the address itself, so that it is not that of the settings. */
export type NotifyAddress = { address: string; isKept: boolean };

/** `answer`: what the other side answered, or why it did not; without secrets. */
export type Sent = { isSent: boolean; answer: string };

/** What was sent to the owner. Throws StorageFailed. */
export type NoticeFile = {
  load(): NoticeLog;
  save(log: NoticeLog): Promise<void>;
  /** One process at a time. */
  inTurn(work: () => Promise<void>): Promise<void>;
};
