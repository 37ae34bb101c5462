import { isJsonObject, parseJson } from '../../lib/json.ts';

/** A state that the owner is to know of. */
export type Notice = {
  /** The subject, such as `app notes`. A message is sent for each change of its state. */
  topic: string;
  /** `ok` means that nothing is wrong. Every topic begins with it. */
  state: string;
  /** The message; `null` if this state needs none. */
  text: string | null;
};

/** `told`: the state of the last message. `state`, `text`: the latest notice. */
type Topic = { told: string; state: string; text: string };

/** What the owner was told, and what is still to be told. Keeps no topic that is `ok`. */
export type NoticeLog = {
  topics: Readonly<Record<string, Topic>>;
  /** The times of the latest messages, in milliseconds since 1970. */
  sentAt: readonly number[];
  /** Why the latest message could not be sent; `null` if it was sent. */
  problem: string | null;
};

export const emptyLog: NoticeLog = Object.freeze({ topics: {}, sentAt: [], problem: null });

const ok = 'ok';
const mostTopics = 500;
const mostTopicText = 200;
const mostText = 500;
/** A message of ntfy may have 4096 bytes. */
const mostMessageBytes = 3500;
const mostMessages = 10;
const hourMs = 60 * 60 * 1000;

/** Adds a notice. Returns the same log if the topic has that state already. */
export function withNotice(log: NoticeLog, { topic, state, text }: Notice): NoticeLog {
  const key = shortened(topic, mostTopicText);
  const before = log.topics[key] ?? { told: ok, state: ok };
  if (before.state === state) return log;
  const { [key]: _, ...others } = log.topics;
  const told = text === null ? state : before.told;
  if (told === ok && state === ok) return { ...log, topics: others };
  if (Object.keys(others).length >= mostTopics) return log;
  return { ...log, topics: { ...others, [key]: { told, state, text: shortened(text ?? '', mostText) } } };
}

/** The message with all that is to be told; `null` if nothing is. */
export function dueMessage({ topics }: NoticeLog): string | null {
  const due = Object.values(topics).filter(isDue);
  if (due.length === 0) return null;
  const texts = due.map(({ text }) => text);
  const fits = (count: number) => Buffer.byteLength(texts.slice(0, count).join('\n')) <= mostMessageBytes;
  let count = 1;
  while (count < texts.length && fits(count + 1)) count += 1;
  const more = texts.length - count;
  return [...texts.slice(0, count), ...(more === 0 ? [] : [`And ${more} more.`])].join('\n');
}

/** The log after everything was told. */
export function withMessage(log: NoticeLog, now: Date): NoticeLog {
  const topics = Object.entries(log.topics)
    .filter(([, { state }]) => state !== ok)
    .map(([key, topic]) => [key, { ...topic, told: topic.state }]);
  const sentAt = [...log.sentAt, now.getTime()].slice(-mostMessages);
  return { topics: Object.fromEntries(topics), sentAt, problem: null };
}

/** At most ten messages an hour. Later ones wait, and are sent as one. */
export function mayBeSent({ sentAt }: NoticeLog, now: Date): boolean {
  const isRecent = (at: number) => at > now.getTime() - hourMs && at <= now.getTime();
  return sentAt.filter(isRecent).length < mostMessages;
}

/** The log in this text. What is damaged counts as never told. */
export function parseLog(text: string): NoticeLog {
  const found = parseJson(text);
  if (!isJsonObject(found)) return emptyLog;
  const { topics, sentAt, problem } = found;
  const entries = isJsonObject(topics) ? Object.entries(topics) : [];
  return {
    topics: Object.fromEntries(entries.flatMap(([key, topic]) => (isTopic(topic) ? [[key, topic] as const] : []))),
    sentAt: Array.isArray(sentAt) ? sentAt.filter((at) => typeof at === 'number').slice(-mostMessages) : [],
    problem: typeof problem === 'string' ? problem : null,
  };
}

function isDue({ told, state }: Topic): boolean {
  return told !== state;
}

function isTopic(value: unknown): value is Topic {
  return isJsonObject(value) && ['told', 'state', 'text'].every((field) => typeof value[field] === 'string');
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
