import { type Repository, ResticFailed, type SnapshotEntry } from './ports.ts';
import { parseEntry } from './restic-output.ts';

const mostEntries = 2000;
const longestMs = 60_000;
/** A path has 4096 bytes at most, and a byte becomes six at most. */
const longestLine = 64 * 1024;

/** What a path of a snapshot is, and the first entries of a folder. Ends restic when it has read enough. */
export async function lookInto(
  stream: (args: readonly string[], signal: AbortSignal) => AsyncIterable<Buffer>,
  id: string,
  path: string,
): ReturnType<Repository['look']> {
  const limit = AbortSignal.timeout(longestMs);
  let kind: SnapshotEntry['kind'] | null = path === '/' ? 'folder' : null;
  const entries: SnapshotEntry[] = [];
  for await (const line of linesOf(stream(['ls', '--json', id, path], limit))) {
    const entry = parseEntry(line);
    if (entry === null) continue;
    if (entry.path === path) kind = entry.kind;
    else entries.push(entry);
    if (entries.length > mostEntries) break;
  }
  if (limit.aborted) throw new ResticFailed('restic did not list the folder within a minute', 'away');
  if (kind === null) throw new ResticFailed(`the backup has no ${path}`, 'no-snapshot');
  return { kind, entries: entries.slice(0, mostEntries), isCut: entries.length > mostEntries };
}

async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > longestLine)
      throw new ResticFailed('restic ls answered in a form that is not understood', 'failed');
  }
}
