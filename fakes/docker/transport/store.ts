import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { settle } from '../model/containers.ts';
import { type EngineState, emptyState } from '../model/state.ts';

/**
 * The folder of one engine. `state.json` is replaced by rename, so readers need no lock. `calls.jsonl` has a line for
 * the start and the end of each call, `events.jsonl` one per event and an empty line where the engine stopped.
 */
export type Store = {
  folder: string;
  read(): EngineState;
  change<T>(work: (state: EngineState) => T): Promise<T>;
  record(line: Record<string, unknown>): void;
  follow(onMore: () => void): { next(): string[]; close(): void };
};

/** The default folder: one engine per user, private to that user. */
export function userFolder(): string {
  return `/tmp/boxgate-docker-${process.getuid?.() ?? 0}`;
}

/** Opens or creates the folder of an engine; throws if it belongs to another user or others can access it. */
export function openStore(folder: string): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`fake docker: ${folder} is not a directory of this user`);
  }
  if ((found.mode & 0o077) !== 0) throw new Error(`fake docker: ${folder} is open to others (mode 0700 is asked for)`);
  return storeAt(realpathSync(folder));
}

function storeAt(folder: string): Store {
  const file = join(folder, 'state.json');
  const events = join(folder, 'events.jsonl');
  const read = () => {
    const state = readState(file);
    settle(state, Date.now());
    return state;
  };
  return {
    folder,
    read,
    async change(work) {
      const { withLock } = await import('./lock.ts');
      return withLock(folder, () => {
        const state = read();
        const wasRunning = state.running;
        const result = work(state);
        const temporary = `${file}.${process.pid}`;
        const lines = state.events.map((event) => `${JSON.stringify(event)}\n`);
        if (wasRunning && !state.running) lines.push('\n');
        writeFileSync(temporary, JSON.stringify({ ...state, events: [] }), { mode: 0o600 });
        renameSync(temporary, file);
        if (lines.length > 0) appendFileSync(events, lines.join(''), { mode: 0o600 });
        return result;
      });
    },
    follow(onMore) {
      appendFileSync(events, '', { mode: 0o600 });
      const watcher = watch(events, onMore);
      let from = 0;
      return {
        next() {
          const text = readFileSync(events, 'utf8');
          const lines = text.slice(from, text.lastIndexOf('\n') + 1);
          from += lines.length;
          return lines.split('\n').slice(0, -1);
        },
        close: () => watcher.close(),
      };
    },
    record(line) {
      appendFileSync(join(folder, 'calls.jsonl'), `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
  };
}

function readState(file: string): EngineState {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as EngineState;
  } catch (error) {
    // A new engine has no file yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState();
    throw error;
  }
}
