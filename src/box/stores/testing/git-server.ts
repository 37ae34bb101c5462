import { spawn, spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Whether git is there: the README's test command does not need it. */
export const hasGit = spawnSync('git', ['--version']).status === 0;

/** A server of git repositories over HTTP on this machine, as the protocol of git wants it. */
export async function gitServer(root: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => answer(root, request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...{ PATH: process.env.PATH, GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: pathname },
      ...{ QUERY_STRING: search.slice(1), REQUEST_METHOD: request.method, GIT_CONFIG_GLOBAL: '/dev/null' },
      ...{ CONTENT_TYPE: request.headers['content-type'] ?? '', GIT_CONFIG_NOSYSTEM: '1' },
      ...{ HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '' },
      ...{ GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''), REMOTE_ADDR: '127.0.0.1' },
      ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
    },
  });
  request.pipe(backend.stdin);
  let head: Buffer | null = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    if (head === null) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ');
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    head = null;
  });
  backend.stdout.on('end', () => response.end());
  for (const stream of [backend.stdin, request, response]) stream.on('error', () => {});
}

/** `target` makes a link, `commit` a submodule. */
export type Content = string | Uint8Array | { target: string } | { commit: string };

/** Makes a bare repository in `root` whose branch has these files. `git fast-import` takes any name and mode. */
export function makeRepository(root: string, name: string, files: Readonly<Record<string, Content>>): void {
  const git = (args: string[], input?: Buffer) => {
    const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: root };
    const { status, stderr } = spawnSync('git', args, { cwd: root, env, input });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  };
  const path = join(root, name);
  git(['init', '--quiet', '--bare', '--initial-branch=main', path]);
  git(['-C', path, 'config', 'uploadpack.allowFilter', 'true']);
  const commit = 'commit refs/heads/main\ncommitter a <a> 0 +0000\ndata 0\ndeleteall\n';
  const parts = Object.entries(files).map(([file, content]) => {
    const path = quoted(file);
    if (typeof content === 'object' && 'commit' in content) return Buffer.from(`M 160000 ${content.commit} ${path}\n`);
    const isLink = typeof content === 'object' && 'target' in content;
    const bytes = Buffer.from(isLink ? content.target : content);
    const header = `M ${isLink ? '120000' : '100644'} inline ${path}\ndata ${bytes.length}\n`;
    return Buffer.concat([Buffer.from(header), bytes, Buffer.from('\n')]);
  });
  git(['-C', path, 'fast-import', '--quiet', '--force'], Buffer.concat([Buffer.from(commit), ...parts]));
}

/** A path as `git fast-import` takes it: in octal, whatever is no plain character. */
function quoted(path: string): string {
  const characters = [...Buffer.from(path)].map((byte) =>
    byte < 32 || byte > 126 || byte === 34 || byte === 92
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${characters.join('')}"`;
}
