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

/**
 * `told`: the state of the last message. `state`, `text`: the latest notice. `changedAt`: when that came, in milliseconds
 * since 1970. `tells`: messages about it in a row, each less than two hours after the change before.
 */
type Topic = { told: string; state: string; text: string; tells: number; changedAt: number };

/** What was sent to the owner, and what is still to be sent. Keeps no topic that has been `ok` for two hours. */
export type NoticeLog = {
  topics: Readonly<Record<string, Topic>>;
  /** The times of the latest messages, in milliseconds since 1970. */
  sentAt: readonly number[];
  /** Why the latest message could not be sent; `null` if it was sent. */
  problem: string | null;
};

export const emptyLog: NoticeLog = Object.freeze({ topics: {}, sentAt: [], problem: null });

const ok = 'ok';
/** What was sent of a topic that comes and goes. */
const flapping = 'flapping';
const calmMs = 2 * 60 * 60 * 1000;
/** Two times that something comes and goes are four messages; at the third time, the message says that it flaps. */
const tellsBeforeFlapping = 4;
const mostTopics = 500;
const mostText = 500;
/** A message of Discord may have 2000 characters with its title, one of ntfy 4096 bytes. */
const mostMessageBytes = 1800;
const mostMessages = 10;
const hourMs = 60 * 60 * 1000;

/** Adds notices. Returns the same log if all topics have these states already. */
export function withNotices(log: NoticeLog, notices: readonly Notice[], now: Date): NoticeLog {
  return notices.reduce((before, notice) => withNotice(before, notice, now.getTime()), log);
}

function withNotice(log: NoticeLog, { topic: key, state, text }: Notice, now: number): NoticeLog {
  const before = log.topics[key] ?? { told: ok, state: ok, tells: 0, changedAt: now };
  if (before.state === state) return log;
  const others = Object.entries(log.topics).filter(([other, topic]) => other !== key && !isOver(topic, now));
  const tells = tellsOf(before, now);
  const told = text === null ? state : before.told;
  const after = { told, state, text: shortened(text ?? ''), tells, changedAt: now };
  const isKept = (told !== ok || state !== ok || tells > 0) && others.length < mostTopics;
  return { ...log, topics: Object.fromEntries(isKept ? [...others, [key, after]] : others) };
}

/** The message with all that is to be sent; `null` if nothing is. */
export function dueMessage({ topics }: NoticeLog, now: Date): string | null {
  const due = Object.values(topics).filter((topic) => isDue(topic, now.getTime()));
  if (due.length === 0) return null;
  const texts = due.map((topic) => (flaps(topic, now.getTime()) ? `${topic.text} ${flappingText}` : topic.text));
  const fits = (count: number) => Buffer.byteLength(texts.slice(0, count).join('\n')) <= mostMessageBytes;
  let count = 1;
  while (count < texts.length && fits(count + 1)) count += 1;
  const more = texts.length - count;
  return [...texts.slice(0, count), ...(more === 0 ? [] : [`And ${more} more.`])].join('\n');
}

const flappingText =
  'It comes and goes (flapping): the next message about it follows when it has stayed the same for two hours.';

/** The log after everything was sent. */
export function withMessage(log: NoticeLog, now: Date): NoticeLog {
  const at = now.getTime();
  const topics = Object.entries(log.topics).map(([key, topic]): [string, Topic] => {
    if (!isDue(topic, at)) return [key, topic];
    return [key, { ...topic, told: flaps(topic, at) ? flapping : topic.state, tells: tellsOf(topic, at) + 1 }];
  });
  const sentAt = [...log.sentAt, at].slice(-mostMessages);
  return { topics: Object.fromEntries(topics.filter(([, topic]) => !isOver(topic, at))), sentAt, problem: null };
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

function isDue(topic: Topic, now: number): boolean {
  if (topic.told === topic.state) return false;
  return topic.told !== flapping || isCalm(topic, now);
}

function flaps(topic: Topic, now: number): boolean {
  return topic.state !== ok && tellsOf(topic, now) >= tellsBeforeFlapping;
}

function tellsOf(topic: Pick<Topic, 'tells' | 'changedAt'>, now: number): number {
  return isCalm(topic, now) ? 0 : topic.tells;
}

/** A time in the future was written with a wrong clock. */
function isCalm({ changedAt }: Pick<Topic, 'changedAt'>, now: number): boolean {
  return now - changedAt >= calmMs || changedAt > now;
}

function isOver(topic: Topic, now: number): boolean {
  return topic.told === ok && topic.state === ok && isCalm(topic, now);
}

function isTopic(value: unknown): value is Topic {
  if (!isJsonObject(value)) return false;
  const { tells, changedAt } = value;
  const hasTexts = ['told', 'state', 'text'].every((field) => typeof value[field] === 'string');
  return hasTexts && typeof tells === 'number' && typeof changedAt === 'number';
}

function shortened(text: string): string {
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text;
}
