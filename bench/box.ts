import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BoxEnvironment, makeBoxEnvironment } from '../fakes/box-environment.ts';
import { type Server, startServer } from './processes.ts';

const root = join(import.meta.dirname, '..');
export const serveCommandOf = (service: 'box' | 'gateway') => [
  process.execPath,
  join(root, 'src/cli/boxgate.cjs'),
  service,
  'serve',
];
export const serveCommand = serveCommandOf('box');
export const exchangeCommand = [process.execPath, join(import.meta.dirname, 'subjects', 'exchange-server.ts')];
export const floorCommand = [process.execPath, join(import.meta.dirname, 'floors', 'server.cjs')];

/** An environment with this many installed apps of one service each, and one bundled app. */
export function worldOf(apps: number): BoxEnvironment {
  const world = makeBoxEnvironment();
  mkdirSync(world.stateDir, { recursive: true });
  for (let n = 0; n < apps; n += 1) world.placeInstalled(app(appName(n)));
  world.bundle(app('newcomer'));
  return world;
}

export const appName = (n: number) => `app${String(n).padStart(4, '0')}`;

function app(name: string) {
  return {
    name,
    manifest: {
      name,
      version: '1.0.0',
      display_name: `The app ${name}`,
      description: 'An app to measure with',
      ports: [8000],
      icon: 'icon.svg',
      settings: [{ name: 'GREETING', label: 'Greeting', type: 'text', default: 'hello' }],
    },
    compose: `services:\n  web:\n    image: example.org/${name}:1\n    env_file: .env\n`,
    envExample: 'GREETING=hello\n',
    env: 'GREETING=hello\n',
    icon: '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>',
  };
}

export function startBox(world: BoxEnvironment, cores?: string): Promise<Server> {
  return startServer(serveCommand, { ...world.env(), BOX_PORT: '0' }, cores);
}

/** Starts a bare server that answers every request with these bytes. */
export async function startFloor(answer: string, variables: Record<string, string> = {}): Promise<Server> {
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines
      .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
      .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name.toLowerCase())),
  );
  const status = Number(statusLine.split(' ')[1]);
  // In a file, because an environment variable is too short for a long list.
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-floor-'));
  const file = join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8') }));
  try {
    return await startServer(floorCommand, { ...process.env, ...variables, FLOOR_ANSWER: file });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function request(method: string, path: string, body?: string): string {
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${length}\r\n${body ?? ''}`;
}
