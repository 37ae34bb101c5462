import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/**
 * A socket of an environment that leads to an engine. It can be stopped and started again. `drain` stops it, too, and
 * waits until the engine has ended each request: a pull that its client has given up may still register an image.
 */
export type Relay = { stop: () => Promise<void>; start: () => Promise<void>; drain: () => Promise<void> };

/** A request that the engine does not end by itself, such as an attached terminal, is cut off then. */
const drainMs = 20_000;

/** Listens on a socket file and forwards every connection to `target`. */
export async function startRelay(file: string, target: NetConnectOpts): Promise<Relay> {
  const [nears, fars] = [new Set<Socket>(), new Set<Socket>()];
  let server: Server | null = null;
  const connectBoth = (near: Socket, far: Socket) => {
    nears.add(near);
    fars.add(far);
    // An error of the connection is followed by its end.
    for (const socket of [near, far]) socket.on('error', () => {});
    near.once('close', () => {
      nears.delete(near);
      // The engine cancels the request, and closes the connection when its work has ended.
      far.unpipe(near).resume();
      far.end();
    });
    far.once('close', () => {
      fars.delete(far);
      near.destroy();
    });
    near.pipe(far).pipe(near);
  };
  const start = async () => {
    if (server !== null) return;
    rmSync(file, { force: true });
    const opened = createServer({ allowHalfOpen: true }, (near) => {
      connectBoth(near, connect({ ...target, allowHalfOpen: true }));
    }).listen(file);
    server = opened;
    await once(opened, 'listening');
  };
  const stop = async () => {
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    server = null;
    for (const near of nears) near.destroy();
    await closed;
  };
  const drain = async () => {
    await stop();
    const tooLong = setTimeout(() => {
      for (const far of fars) far.destroy();
    }, drainMs);
    await Promise.all([...fars].map((far) => once(far, 'close')));
    clearTimeout(tooLong);
  };
  await start();
  return { start, stop, drain };
}
