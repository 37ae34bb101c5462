import { refuse } from '../box/api/refusals.ts';
import type { Reply, Stream } from '../http/reply.ts';

/** Each open stream holds a connection and a command, such as one that follows a log. */
const mostStreams = 20;

/** Makes a function that bounds how many replies are streams at once. */
export function boundStreams(): (reply: Reply) => Reply {
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
