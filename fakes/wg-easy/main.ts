import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { dialects } from './model/dialect.ts';
import { startWgEasy } from './wg-easy.ts';

/**
 * The fake as a program: `node fakes/wg-easy/main.ts [--port N] [--dialect 14|15.4] [--username NAME]`, the
 * password in `WG_EASY_PASSWORD` (empty: version 14 without a password). Prints `listening on URL` when ready, and ends
 * on SIGTERM or SIGINT. `--interface NAME` keeps the keys and peers of a real WireGuard interface as the clients are;
 * `--host HOST` is where boxes reach it.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    dialect: { type: 'string', default: '15.4' },
    username: { type: 'string', default: 'admin' },
    interface: { type: 'string' },
    host: { type: 'string' },
  },
});

const dialect = dialects.find((one) => one === values.dialect);
const password = process.env.WG_EASY_PASSWORD;

if (dialect === undefined || !/^\d+$/.test(values.port) || password === undefined) {
  console.error(`--dialect is one of ${dialects.join(', ')}, --port a number, WG_EASY_PASSWORD has to be set`);
  process.exitCode = 2;
} else {
  const manager = await startWgEasy({
    dialect,
    username: values.username,
    password: password === '' ? null : password,
    port: Number(values.port),
    ...(values.host === undefined ? {} : { endpoint: { host: values.host, port: 51820 } }),
    configure(input) {
      if (values.interface === undefined) return;
      // wg opens the file by its name, which a socket does not allow.
      execFileSync('sh', ['-c', 'cat | wg syncconf "$0" /dev/stdin', values.interface], { input });
    },
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => manager.close());
  console.log(`listening on ${manager.url}`);
}
