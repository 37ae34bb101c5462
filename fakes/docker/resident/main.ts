import { createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { pauseUnless } from '../../pause.ts';
import { runCall, type Ways } from '../transport/run-call.ts';
import { openStore } from '../transport/store.ts';
import { endFrame, frame, type Handed, readHanded } from './words.ts';

/**
 * The program of the thread: carries out what launchers hand on, each as a process of its own would: what it has said
 * comes in order, it ends with a status, and it goes no further once its launcher was killed.
 */
const { secret } = workerData as { secret: string };

function onConnection(socket: Socket): void {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  let bytes = Buffer.alloc(0);
  const onData = (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    const handed = readHanded(bytes);
    if (handed === null) return;
    socket.off('data', onData);
    socket.resume();
    if (handed.secret === secret) void carryOut(socket, handed);
    else socket.destroy();
  };
  socket.on('data', onData);
}

async function carryOut(socket: Socket, { folder, given }: Handed): Promise<void> {
  const ways = waysOf(socket);
  try {
    socket.end(endFrame(await runCall(openStore(folder), given, ways)));
  } catch (error) {
    if (error instanceof LauncherGone) return;
    ways.err(`${error instanceof Error ? error.message : String(error)}\n`);
    socket.end(endFrame(125));
  }
}

class LauncherGone extends Error {}

function waysOf(socket: Socket): Ways {
  const gone = new AbortController();
  socket.once('end', () => gone.abort());
  socket.once('close', () => gone.abort());
  const goOn = () => {
    if (gone.signal.aborted) throw new LauncherGone();
  };
  const say = (kind: 1 | 2) => (text: string) => {
    if (text !== '' && !gone.signal.aborted) socket.write(frame(kind, text));
  };
  return {
    goOn,
    out: say(1),
    err: say(2),
    pause: async (ms, wake) => {
      await pauseUnless(ms, wake ? AbortSignal.any([gone.signal, wake]) : gone.signal);
      goOn();
    },
  };
}

const server = createServer({ allowHalfOpen: true }, onConnection);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === 'object' ? address?.port : null);
});
