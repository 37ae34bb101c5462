import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../fakes/ports.ts';
import { type AnyContext, NotApplicable } from '../kernel/check.ts';
import { sendRequest } from '../kernel/exchange.ts';
import { equal, matches, status } from '../kernel/expect.ts';
import { until } from '../kernel/observe.ts';
import { startExpectingExit, withMachineLock } from '../kernel/process.ts';
import { acceptsConnections, type Subject } from '../kernel/subject.ts';

/** Verifies the one line of standard error with which an implementation refuses to start. */
export async function exitsWithOneLine(
  { start }: Pick<AnyContext, 'start'>,
  options: Parameters<typeof startExpectingExit>[1],
  expected: { status: number; names?: string },
): Promise<void> {
  const ended = await startExpectingExit(start, options);
  const what = JSON.stringify(options);
  equal(`exit status for ${what}`, ended.status, expected.status);
  const named = expected.names === undefined ? '[^\\n]+' : `[^\\n]*(${expected.names})[^\\n]*`;
  matches(`one line on standard error for ${what}`, ended.stderr, new RegExp(`^${named}\\n$`));
}

/** Verifies that an invalid value ends the start with a line that names the variable or its flag. */
export async function refusesValue(context: AnyContext, name: string, value: string | undefined): Promise<void> {
  const flag = name
    .toLowerCase()
    .replace(/^[a-z]+_/, '--')
    .replaceAll('_', '-');
  await exitsWithOneLine(context, { env: { [name]: value } }, { status: 2, names: `${name}|${flag}` });
}

export async function refusesFlag(context: AnyContext, flag: string): Promise<void> {
  await exitsWithOneLine(context, { flags: [`${flag}=x`] }, { status: 2, names: flag });
}

/** Verifies that a process whose port is taken ends with status 1. */
export async function endsOnTakenPort(context: AnyContext, variable: string): Promise<void> {
  const port = await freePort();
  const holder = createServer().listen(port, '127.0.0.1');
  await once(holder, 'listening');
  try {
    await exitsWithOneLine(context, { env: { [variable]: String(port) } }, { status: 1 });
  } finally {
    holder.close();
  }
}

/** Verifies that the default address is this port on 127.0.0.1 only. */
export async function listensByDefault(
  context: AnyContext,
  { prefix, port, path }: { prefix: 'BOX' | 'GATEWAY'; port: number; path: string },
): Promise<void> {
  await withMachineLock(`port ${port}`, async () => {
    if (await acceptsConnections('127.0.0.1', port)) throw new NotApplicable(`port ${port} of this machine is taken`);
    await context.start({ port, env: { [`${prefix}_HOST`]: undefined, [`${prefix}_PORT`]: undefined } });
    status(await context.get(path), 200);
    equal('127.0.0.2 answers too', await acceptsConnections('127.0.0.2', port), false);
    await context.kill();
  });
}

/** Verifies that a host in this variable is the only one that is listened on. */
export async function listensOnHost(context: AnyContext, variable: string, path: string): Promise<void> {
  const host = '127.0.0.3';
  const { port } = await context.start({ host, env: { [variable]: host } });
  status(await sendRequest(port, { method: 'GET', path, host }), 200);
  equal('127.0.0.1 answers too', await acceptsConnections('127.0.0.1', port), false);
}

/** Waits until a process ends, and returns its exit status. */
export async function exitStatus(subject: Subject): Promise<number | null | undefined> {
  await until('the process has ended', () => subject.ended() !== null);
  return subject.ended()?.status;
}

/** Verifies that SIGTERM ends a process although a client keeps its connection open after these bytes. */
export async function endsWithOpenConnection(context: AnyContext, sent: string): Promise<void> {
  const subject = await context.start();
  const { promise: answered, resolve: onResponse } = Promise.withResolvers<void>();
  const open = context.raw({ parts: [sent], responses: 2, timeoutMs: 60_000, onResponse });
  // Stops waiting if the process ends without a response.
  await Promise.race([answered, open]);
  subject.signal('SIGTERM');
  equal('exit status', await exitStatus(subject), 0);
  equal('answers on the open connection', (await open).responses.length, 1);
}
