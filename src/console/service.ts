import type { Page } from '../box/api/api-box.ts';
import {
  asRequestedChange,
  makeEdge,
  methodNotAllowed,
  pageReply,
  type RequestInput,
  refuseCrossSite,
  refuseForeignHost,
  replyOf,
} from '../box/api/edge.ts';
import { refuse } from '../box/api/refusals.ts';
import type { OwnNames } from '../box/api/rules/request-origin.ts';
import { rasterIcon } from '../box/app-files/read-apps.ts';
import { downloadFromBackup } from '../box/backup/rooms/files-room.ts';
import { followAppLog, type LogPart, mostLines } from '../box/logs/app-log.ts';
import type { LogsBox } from '../box/logs/ports.ts';
import type { Outcome, Room } from '../box/report.ts';
import { nameInPath } from '../box/rules/manifest/app-name.ts';
import { attachmentHeaders } from '../http/attachment.ts';
import { violatedConstraint } from '../http/constraints.ts';
import type { Head, Service } from '../http/exchange.ts';
import { type Match, makeMatcher } from '../http/match.ts';
import type { Handlers, InputOf } from '../http/operation.ts';
import type { Reply, Stream } from '../http/reply.ts';
import { shareByKey } from '../lib/share-work.ts';
import type { components, operations as Documented } from './api.gen.ts';
import { actionOf, roomAt } from './rooms.ts';
import { type AskStates, watchState } from './server-states.ts';
import { bodyValidators, constraintRefusals, type OperationId, operations, pathValidators } from './validators.gen.ts';

type Schemas = components['schemas'];
type Reads = Omit<Handlers<Documented>, 'act' | 'downloadBackupFile'>;

export type Console = {
  box: LogsBox;
  rooms: readonly Room[];
  page(): Page;
  /** The states of apps as the box's server knows them, by name; `null` without its answer. */
  askStates: AskStates;
};

const matchEndpoint = makeMatcher(operations);
const mostLogs = 20;
/** Each is a program that takes some 100 MB of memory. */
const mostDownloads = 3;

/** The console's own rules of an exchange, around its rooms. The journal gets each action that is carried out. */
export function consoleService(console: Console, own: OwnNames, version: string): Service {
  // The operation id ensures that each handler gets its own input.
  const byId = makeReads(console) as unknown as Partial<Record<OperationId, (input: RequestInput) => Promise<Reply>>>;
  const bounded = boundStreams(mostLogs);
  const boundedDownloads = boundStreams(mostDownloads);
  // Many of them start commands, and a page that is open in many tabs asks as often.
  const reads = shareByKey<Reply>();
  return {
    ...makeEdge(matchEndpoint, version),
    admit: (head) => admit(head, own),
    refuseUnknown: ({ method, path }) =>
      method === 'GET' || method === 'POST' ? replyOf('notFound') : methodNotAllowed(matchEndpoint, path),
    async handle(given, body, head) {
      const match = given as Match<OperationId>;
      const input = requestInput(match, body as RequestInput);
      const read = byId[match.operationId];
      if (read !== undefined) {
        return bounded(await reads.share(JSON.stringify([match.operationId, input]), () => read(input)));
      }
      if (match.operationId === 'downloadBackupFile') {
        return boundedDownloads(await download(console, input as InputOf<Documented['downloadBackupFile']>, head));
      }
      // A read that began before does not show the change.
      return act(console, input as InputOf<Documented['act']>, head, reads.renew);
    },
  };
}

const rules = { constraintRefusals, pathValidators, bodyValidators };

/**
 * The input of a handler: the path parameter, which is an app's name, and the documented fields of the body. A missing
 * or invalid field causes the refusal that the document names for it.
 */
function requestInput(match: Match<OperationId>, body: RequestInput): RequestInput {
  const refusal = violatedConstraint(rules, match, body);
  if (refusal !== null) refuse(refusal);
  const rows = constraintRefusals[match.operationId];
  const fields = rows.filter(({ in: place, at }) => place === 'body' && Object.hasOwn(body, at));
  const names = Object.entries(match.params).map(([name, value]) => [name, nameInPath(value)]);
  return Object.fromEntries([...names, ...fields.map(({ at }) => [at, body[at]])]);
}

/** A file of an app's author is drawn and nothing else. Its address in a list changes with the file. */
const asPicture = {
  headers: { 'Content-Security-Policy': 'sandbox' },
  caching: 'private, max-age=31536000, immutable',
};

function makeReads({ box, rooms, page, askStates }: Console): Reads {
  return {
    showConsole: async () => pageReply(page()),
    async readRoom({ room: address }) {
      const { room, app } = roomAt(rooms, address);
      return { status: 200 as const, body: await room.read(app) };
    },
    async followRoom({ room: address }) {
      const { room, app } = roomAt(rooms, address);
      return { status: 200 as const, body: (await room.follow?.(app)) ?? { ok: true, text: '' } };
    },
    followAppLog: async ({ name }) => ({
      status: 200 as const,
      type: 'text/event-stream',
      body: logEvents(() => followAppLog(box, name, mostLines, watchState(askStates, name))),
    }),
    async readIcon({ name }) {
      const icon = rasterIcon(box, name);
      if (icon === null) refuse('notFound');
      return { status: 200 as const, type: icon.type, body: Buffer.from(icon.bytes), ...asPicture };
    },
    async readRootCertificate() {
      const body = box.https.rootCertificate();
      if (body === null) refuse('notFound');
      return { status: 200 as const, type: 'application/x-x509-ca-cert', body };
    },
  };
}

async function act(
  { box, rooms }: Console,
  input: InputOf<Documented['act']>,
  head: Head,
  onEnd: () => void,
): Promise<Reply> {
  const { action, fields } = actionOf(rooms, input);
  const carryOut = async () => ({ status: 200, body: await action.run(fields).finally(onEnd) });
  if (action.verb === null) return carryOut();
  const subject = action.subject === undefined ? '' : (fields[action.subject] ?? '');
  return asRequestedChange(box.journal, { operation: action.verb, subject, head }, carryOut, (body) => {
    const { ok, text } = body as Outcome;
    const [detail = ''] = text.split('\n', 1);
    return { outcome: 'ok', detail, ...(ok ? {} : { isPartial: true }) };
  });
}

/** What is in a backup is private, so the journal gets a line although nothing changes. */
function download({ box }: Console, { file }: InputOf<Documented['downloadBackupFile']>, head: Head): Promise<Reply> {
  let what = '';
  const begin = async () => {
    const found = await downloadFromBackup(box, file);
    what = found.what;
    return { status: 200, type: 'application/octet-stream', body: found.bytes, headers: attachmentHeaders(found.name) };
  };
  const change = { operation: 'download from a backup', subject: '', head };
  return asRequestedChange(box.journal, change, begin, () => ({ outcome: 'ok', detail: what }));
}

/**
 * Reads are refused like changes, because logs and settings are private. A page of another site may link to the console,
 * which shows nothing by itself.
 */
function admit(head: Head, own: OwnNames): void {
  refuseForeignHost(head, own);
  const isPage = matchEndpoint(head.method, head.path)?.operationId === 'showConsole';
  if (!isPage) refuseCrossSite(head, own);
}

function shownPart({ lines, left_out: leftOut, notes }: LogPart): Schemas['LogPart'] {
  return {
    lines: lines.map(({ time, source, text }) => {
      const moment = time === null ? '' : `${time.slice(0, 19).replace('T', ' ')} `;
      return `${moment}${source} | ${text}`;
    }),
    notes: [...(leftOut === 0 ? [] : [`${leftOut} lines left out`]), ...notes],
  };
}

/** The log begins to be read when the first event is asked for, and ends when the client has left. */
function logEvents(follow: () => ReturnType<typeof followAppLog>) {
  return async function* (gone: AbortSignal) {
    const log = follow();
    const end = () => void log.return?.();
    gone.addEventListener('abort', end, { once: true });
    try {
      if (gone.aborted) return;
      for await (const part of log) yield `data: ${JSON.stringify(shownPart(part))}\n\n`;
    } finally {
      end();
    }
  };
}

/** Makes a function that bounds how many replies are streams at once: each holds a connection and a command. */
export function boundStreams(mostStreams: number): (reply: Reply) => Reply {
  let openCount = 0;
  return (reply) => {
    if (typeof reply.body !== 'function') return reply;
    if (openCount >= mostStreams) refuse('tooManyStreams');
    const stream = reply.body as Stream;
    const body: Stream = async function* (gone) {
      openCount += 1;
      try {
        yield* stream(gone);
      } finally {
        openCount -= 1;
      }
    };
    return { ...reply, body };
  };
}
