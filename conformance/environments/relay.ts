import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** A socket of an environment that leads to an engine. It can be stopped and started again. */
export type Relay = { stop: () => Promise<void>; start: () => Promise<void> };

/** Listens on a socket file and forwards every connection to `target`. */
export async function startRelay(file: string, target: NetConnectOpts): Promise<Relay> {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const keep = (socket: Socket, other: () => Socket) => {
    sockets.add(socket);
    // An error on one side closes the other side.
    socket.on('error', () => other().destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other().destroy();
    });
  };
  const start = async () => {
    if (server !== null) return;
    rmSync(file, { force: true });
    const opened = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ ...target, allowHalfOpen: true });
      keep(near, () => far);
      keep(far, () => near);
      near.pipe(far).pipe(near);
    }).listen(file);
    server = opened;
    await once(opened, 'listening');
  };
  const stop = async () => {
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    server = null;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await start();
  return { start, stop };
}
