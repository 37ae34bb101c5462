import { createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { pauseUnless } from '../../pause.ts';
import { type CallIo, runCall } from '../transport/run-call.ts';
import { openStore } from '../transport/store.ts';
import { type Command, endFrame, frame, readCommand } from './words.ts';

/**
 * The program of the resident thread. It executes calls like separate processes: ordered output, an exit status, and an
 * abort when the launcher is killed.
 */
const { secret } = workerData as { secret: string };

function onConnection(socket: Socket): void {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  let bytes = Buffer.alloc(0);
  const onData = (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    const command = readCommand(bytes);
    if (command === null) return;
    socket.off('data', onData);
    socket.resume();
    if (command.secret === secret) void execute(socket, command);
    else socket.destroy();
  };
  socket.on('data', onData);
}

async function execute(socket: Socket, { folder, given }: Command): Promise<void> {
  const io = ioOf(socket);
  try {
    socket.end(endFrame(await runCall(openStore(folder), given, io)));
  } catch (error) {
    if (error instanceof LauncherGone) return;
    io.err(`${error instanceof Error ? error.message : String(error)}\n`);
    socket.end(endFrame(125));
  }
}

class LauncherGone extends Error {}

function ioOf(socket: Socket): CallIo {
  const gone = new AbortController();
  socket.once('end', () => gone.abort());
  socket.once('close', () => gone.abort());
  const throwIfGone = () => {
    if (gone.signal.aborted) throw new LauncherGone();
  };
  const send = (kind: 1 | 2) => (text: string) => {
    if (text !== '' && !gone.signal.aborted) socket.write(frame(kind, text));
  };
  return {
    throwIfGone,
    out: send(1),
    err: send(2),
    pause: async (ms, wake) => {
      await pauseUnless(ms, wake ? AbortSignal.any([gone.signal, wake]) : gone.signal);
      throwIfGone();
    },
  };
}

const server = createServer({ allowHalfOpen: true }, onConnection);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' ? address?.port : null);
});
