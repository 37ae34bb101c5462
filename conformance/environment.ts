import { once } from 'node:events';
import { freePort } from '../fakes/ports.ts';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import type { ApiName } from './run/api.ts';

const notes: Record<ApiName, readonly string[]> = {
  box: [
    'No app is bundled: put folders into $BOX_BUNDLED_APPS before the program starts.',
    'docker, systemd-run and systemctl are fakes, first on PATH.',
  ],
  gateway: [
    'The tunnel manager, and the reverse proxy that reads $GATEWAY_ROUTES_DIR, run until this command ends.',
    'Register a box with $GATEWAY_BOX_TOKEN as the bearer token.',
  ],
};

/**
 * Makes one environment of the suite, and prints its variables for a shell, so that a debugger can start the implementation.
 * Waits for a signal or the end of the input, and removes the environment.
 */
export async function runEnvironment(api: ApiName, write: (text: string) => void): Promise<0> {
  const options = { variant: 0, parts: {} };
  const environment = await (api === 'box' ? boxApi.makeEnvironment(options) : gatewayApi.makeEnvironment(options));
  try {
    const name = api.toUpperCase();
    const variables = { ...environment.env(), [`${name}_PORT`]: String(await freePort()) };
    const exports = Object.entries(variables).map(
      ([key, value]) => `export ${key}='${value.replaceAll("'", "'\\''")}'\n`,
    );
    const comments = [
      `Unset any other variable that begins with ${name}_.`,
      ...notes[api],
      'Ctrl-C, SIGTERM or the end of the input removes the environment.',
    ];
    write([...exports, ...comments.map((line) => `# ${line}\n`)].join(''));
    await untilEnd();
  } finally {
    await environment.dispose();
  }
  return 0;
}

async function untilEnd(): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  process.stdin.resume();
  const events = [
    once(process, 'SIGINT', { signal }),
    once(process, 'SIGTERM', { signal }),
    once(process.stdin, 'end', { signal }),
  ];
  await Promise.race(events);
  waiting.abort();
  await Promise.allSettled(events);
  process.stdin.pause();
}
