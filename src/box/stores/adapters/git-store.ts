import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onStorage } from '../../../lib/files/storage.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { type OpenStore, StoreUnreadable } from '../ports.ts';
import { gitFailure } from '../rules/git-failure.ts';
import { batchContents, batchSizes, filesOfTree } from '../rules/git-output.ts';
import { maxStoreFileBytes } from '../rules/wanted-files.ts';
import { readAll } from './folder-store.ts';

export type GitLimits = { fetchMs: number; idleSeconds: number };

const usual: GitLimits = { fetchMs: 10 * 60_000, idleSeconds: 30 };
const doing = 'cannot write what git reads of a store';
/** A store with more bytes of file names is not read. */
const mostBytesOfNames = 32 * 1024 * 1024;
/** For the shell of a command: no file of git is larger than 128 MiB, and it allocates no more than 1 GiB. */
const limited = 'ulimit -f 262144; ulimit -d 1048576 2>/dev/null; exec "$0" "$@"';

/**
 * Opens a store in a git repository. Nothing is checked out: git fetches one commit with its folders, later the wanted
 * files, and writes their bytes to one file. So links, hooks, attributes and submodules of the store do nothing.
 * @param below - the folder for the folder of git, which is deleted by `close`
 */
export async function openGitStore(address: string, below: string, limits: GitLimits = usual): Promise<OpenStore> {
  const folder = await onStorage(doing, async () => {
    await mkdir(below, { recursive: true });
    return mkdtemp(join(below, '.reading-'));
  });
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await onStorage(doing, () => prepare(folder, address, limits));
    const git = makeGit(folder, limits);
    await git.fetch(['--depth=1', 'store', 'HEAD']);
    const revision = (await git.run(['rev-parse', 'FETCH_HEAD^{commit}'])).trim();
    const files = filesOfTree(await git.run(['ls-tree', '-r', '-z', '--full-tree', revision]));
    return {
      revision,
      paths: [...files.keys()],
      async read(paths) {
        const contents = await git.contents(new Set(paths.flatMap((path) => files.get(path) ?? [])));
        return readAll(paths, (path) => contents.get(files.get(path) ?? '') ?? null);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An empty repository. `git init` would take over templates, and with them hooks. */
async function prepare(folder: string, address: string, { idleSeconds }: GitLimits): Promise<void> {
  await mkdir(join(folder, 'objects'));
  await mkdir(join(folder, 'refs'));
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  const config = [
    ...['[core]', 'repositoryformatversion = 1', 'bare = true', 'hooksPath = /dev/null', 'bigFileThreshold = 1m'],
    ...['[extensions]', 'partialClone = store', '[gc]', 'auto = 0', '[maintenance]', 'auto = false'],
    ...['[remote "store"]', `url = "${address}"`, 'promisor = true', 'partialclonefilter = blob:none'],
    ...['[protocol]', 'allow = never', '[protocol "https"]', 'allow = always', '[protocol "http"]', 'allow = always'],
    ...['[http]', 'followRedirects = false', 'lowSpeedLimit = 1000', `lowSpeedTime = ${idleSeconds}`],
  ];
  await writeFile(join(folder, 'config'), `${config.join('\n')}\n`);
}

function makeGit(folder: string, { fetchMs, idleSeconds }: GitLimits) {
  const run = async (args: readonly string[], options: { stdin?: string; to?: number; isOnline?: boolean } = {}) => {
    const { stdin, to, isOnline = false } = options;
    const script = to === undefined ? limited : `${limited} >&3`;
    const tooMuch = new AbortController();
    let left = mostBytesOfNames;
    try {
      const { stdout } = await runCommand(['/bin/sh', '-c', script, 'git', '--git-dir', folder, ...args], {
        cwd: folder,
        env: environment(folder, isOnline),
        timeoutMs: fetchMs,
        ...(isOnline && { idleMs: 2 * idleSeconds * 1000 }),
        outputLimit: mostBytesOfNames,
        signal: tooMuch.signal,
        onOutput: (text) => {
          left -= text.length;
          if (left < 0) tooMuch.abort();
          return undefined;
        },
        ...(stdin !== undefined && { stdin }),
        ...(to !== undefined && { inherited: to }),
      });
      return stdout;
    } catch (error) {
      if (error instanceof CommandFailed) throw new StoreUnreadable(gitFailure(error), { cause: error });
      throw error;
    }
  };
  const fetch = (args: readonly string[], stdin?: string) =>
    run(
      ['fetch', '--quiet', '--no-tags', '--no-auto-maintenance', '--recurse-submodules=no', ...args],
      stdin === undefined ? { isOnline: true } : { isOnline: true, stdin },
    );
  return {
    run,
    fetch,
    /** The bytes of files by id, without those that are too large. */
    async contents(ids: ReadonlySet<string>): Promise<Map<string, Uint8Array>> {
      if (ids.size === 0) return new Map();
      await fetch(['--no-write-fetch-head', '--stdin', 'store'], lines(ids));
      const sizes = batchSizes(await run(['cat-file', '--batch-check'], { stdin: lines(ids) }));
      const small = [...sizes].flatMap(([id, size]) => (size <= maxStoreFileBytes ? [id] : []));
      const file = join(folder, 'contents');
      await using handle = await onStorage(doing, () => open(file, 'w'));
      await run(['cat-file', '--batch'], { stdin: lines(small), to: handle.fd });
      return batchContents(await readFile(file));
    },
  };
}

const lines = (texts: Iterable<string>) => [...texts].map((text) => `${text}\n`).join('');

/** Nothing of this machine's git counts, and only `fetch` may reach another one. */
function environment(folder: string, isOnline: boolean): Record<string, string | undefined> {
  const { PATH, https_proxy, http_proxy, no_proxy, HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE } = process.env;
  return {
    ...{ PATH, https_proxy, http_proxy, no_proxy, HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE },
    ...{ HOME: folder, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '/bin/false', GIT_ALLOW_PROTOCOL: isOnline ? 'http:https' : 'none' },
  };
}
