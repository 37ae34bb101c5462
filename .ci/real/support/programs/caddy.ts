import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type AppFiles, type Box, startBox } from '../box.ts';
import { required } from '../required.ts';
import { type Answer, launcher, ServerProcess } from '../server-process.ts';
import { until } from '../until.ts';

const run = promisify(execFile);

/** What Caddy serves without the box. Only the running Caddy has the variable. */
export const ownSites = '{\n\tskip_install_trust\n}\n:80 {\n\trespond "{$PLAIN_TEXT}"\n}\n';
export const plainPage = async () => (await fetch('http://127.0.0.1/')).text();

export type CaddyBox = {
  box: Box;
  caddyfile: string;
  /** What the next commands read from their standard input. */
  types(text: string): void;
  /** Runs `boxgate box https …`; a name server in this process answers meanwhile. */
  https(...words: string[]): Promise<{ status: number; text: string }>;
};

/** A box beside a real Caddy on the ports 80 and 443. */
export async function startCaddyBox(t: TestContext, apps: Record<string, AppFiles>, path = ''): Promise<CaddyBox> {
  const box = await startBox(t, apps);
  await box.stop();
  box.env = { PATH: `${join(required('BOXGATE_CI_SCRATCH'), 'caddy/usr/bin')}:${path}${process.env.PATH}` };
  await box.start();
  const folder = join(box.folder, 'caddy');
  const caddyfile = join(folder, 'Caddyfile');
  mkdirSync(folder);
  writeFileSync(caddyfile, ownSites);
  const env = {
    ...process.env,
    ...box.env,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    PLAIN_TEXT: 'plain',
  };
  const proxy = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  t.after(() => proxy.kill());
  await until('Caddy answers', async () => (await plainPage().catch(() => '')) === 'plain');
  let typed = '';
  const types = (text: string) => {
    typed = text;
  };
  const https: CaddyBox['https'] = async (...words) => {
    const variables = { ...box.environment(`${box.port}`), ...box.env };
    const running = run(process.execPath, [launcher, 'box', 'https', ...words], { env: variables });
    running.child.stdin?.end(typed);
    return running.then(
      ({ stdout }) => ({ status: 0, text: stdout }),
      ({ code, stderr }) => ({ status: code as number, text: String(stderr) }),
    );
  };
  return { box, caddyfile, types, https };
}

/** The console at this address: carries out an action of its room, and follows it to its end. */
export async function actInConsole(
  ask: (path: string, init?: RequestInit) => Promise<Answer>,
  act: string,
  fields: Record<string, string>,
): Promise<{ ok: boolean; text: string }> {
  const { status, body } = await ask('/settings/api/acts', { method: 'POST', body: JSON.stringify({ act, fields }) });
  if (status !== 200) return { ok: false, text: body.error };
  const [room] = act.split('/');
  const work = async () => (await ask(`/settings/api/follow/${room}`)).body;
  await until('the work of the console ends', async () => !(await work()).has_begun);
  return work();
}

/** The console of a box beside a Caddy. Variables of the settings file are its environment. */
export async function startConsole(t: TestContext, { box, caddyfile }: CaddyBox, variables = {}) {
  const server = new ServerProcess(['box', 'console'], (port) => ({
    ...box.environment(`${box.port}`),
    ...{ BOX_HTTPS_CADDYFILE: caddyfile, ...variables, BOX_CONSOLE_PORT: port },
  }));
  t.after(() => server.kill());
  await server.start();
  const act = (name: string, fields: Record<string, string>) => actInConsole(server.ask.bind(server), name, fields);
  return { server, act };
}

/**
 * Asks for a page over HTTPS, as a client that trusts this authority and no other. Status 0 if the connection or its
 * certificate is refused.
 */
export function askSecurely(
  ca: string,
  host: string,
  path = '/',
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; location?: string | undefined }> {
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port: 443,
      servername: host,
      path,
      ca,
      headers: { host, ...headers },
      agent: false as const,
    };
    const asked = request(options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text, location: response.headers.location });
    });
    asked.on('error', ({ message }) => resolve({ status: 0, text: message }));
    asked.end();
  });
}
