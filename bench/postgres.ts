import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type Postgres = { url: string; pid: number; run(sql: string): string; stop(): Promise<void> };

/** Folder of the newest installed PostgreSQL; `null` if PostgreSQL is not installed. */
function programs(): string | null {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(folder, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  return found ?? null;
}

/**
 * Starts a temporary PostgreSQL on loopback with its default durability, on the same core as the load. `null` if it is
 * not installed. PostgreSQL refuses to run as root, so root starts it as `nobody`.
 */
export async function startPostgres(): Promise<Postgres | null> {
  const bin = programs();
  if (bin === null) return null;
  const root = mkdtempSync(join(tmpdir(), 'boxgate-postgres-'));
  const data = join(root, 'data');
  const user = process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : [];
  const [id, group] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })));
  if (user.length > 0) chownSync(root, id ?? 0, group ?? 0);
  const call = (program: string, args: string[]) => {
    const [first = '', ...rest] = [...user, join(bin, program), ...args];
    return execFileSync(first, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], cwd: root });
  };
  call('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']);
  const port = await freePort();
  const [first = '', ...rest] = [...user, join(bin, 'postgres'), '-D', data, '-k', root, '-h', '127.0.0.1'];
  const server = spawn('taskset', ['-c', '1', first, ...rest, '-p', String(port)], { stdio: 'ignore', cwd: root });
  const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
  for (let tries = 0; !answers(() => call('pg_isready', ['-q', ...connection])); tries += 1) {
    if (tries > 300) throw new Error('PostgreSQL does not answer');
    await pause(100);
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: server.pid ?? 0,
    run: (sql) => call('psql', [...connection, '-qAt', '-v', 'ON_ERROR_STOP=1', '-c', sql]),
    stop: async () => {
      server.kill('SIGINT');
      await once(server, 'exit');
      rmSync(root, { recursive: true });
    },
  };
}

function answers(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
