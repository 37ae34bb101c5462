import { refuse } from '../box/api/refusals.ts';
import type { Reply, Stream } from '../http/reply.ts';

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
