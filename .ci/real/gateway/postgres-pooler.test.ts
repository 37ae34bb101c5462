import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeScratchDatabase, type ScratchDatabase } from '../../../fakes/scratch-database.ts';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { Gateway } from '../support/gateway.ts';
import { statuses, times } from '../support/gateways.ts';
import { part } from '../support/part.ts';
import { required } from '../support/required.ts';
import { freePort } from '../support/server-process.ts';

/** A gateway behind a real PgBouncer, whose databases are one database in different modes. */
const modes = {
  session: 'pool_mode=session',
  exact: 'pool_mode=session pool_size=9',
  small: 'pool_mode=session pool_size=2',
  transaction: 'pool_mode=transaction',
  one: 'pool_mode=transaction pool_size=1',
  statement: 'pool_mode=statement',
};

let database: ScratchDatabase;
let manager: WgEasy;
const folders: string[] = [];
const ports = { defaults: 0, lenient: 0 };
before(async () => {
  database = await makeScratchDatabase(required('GATEWAY_TEST_POSTGRES'));
  manager = await startWgEasy();
  const { hostname, port, pathname, username, password } = new URL(database.url);
  const place = `host=${hostname} port=${port} dbname=${pathname.slice(1)}`;
  for (const name of ['defaults', 'lenient'] as const) {
    ports[name] = await freePort();
    const dir = mkdtempSync(join(required('BOXGATE_REAL'), `pgbouncer-${name}-`));
    writeFileSync(join(dir, 'users'), `"${username}" "${password}"\n`);
    const lines = [
      '[databases]',
      ...Object.entries(modes).map(([mode, settings]) => `${mode} = ${place} ${settings}`),
      '[pgbouncer]',
      `listen_addr=127.0.0.1`,
      `listen_port=${ports[name]}`,
      'auth_type=scram-sha-256',
      `auth_file=${dir}/users`,
      'unix_socket_dir=',
    ];
    const ignored = 'options,lock_timeout,statement_timeout,idle_in_transaction_session_timeout,extra_float_digits';
    if (name === 'lenient') lines.push(`ignore_startup_parameters=${ignored}`);
    writeFileSync(join(dir, 'pgbouncer.ini'), lines.join('\n'), { mode: 0o600 });
    await part('pgbouncer_start', dir, required('BOXGATE_PGBOUNCER'), String(ports[name]));
    folders.push(dir);
  }
});
after(async () => {
  for (const dir of folders) await part('pgbouncer_stop', dir);
  await manager.close();
  await database.drop();
});

function gatewayOn(mode: keyof typeof modes, port: number): Gateway {
  const url = new URL(database.url);
  url.port = String(port);
  url.pathname = `/${mode}`;
  return new Gateway({ manager, domain: 'pub.example', store: url.href, more: { BOX_LIMIT: '100' } });
}

const changes = /changes sessions between transactions, .* set pool_mode=session for this database/;
describe('a pooler that would lose locks or notifications is refused at the start', { concurrency: true }, () => {
  for (const [kind, mode, expected] of [
    ['lenient', 'transaction', changes],
    ['defaults', 'statement', changes],
    ['defaults', 'one', changes],
    ['defaults', 'small', /serves 2 connections .* each process needs 9, so raise the pool \(default_pool_size/],
  ] as const) {
    test(`${mode} mode with ${kind}`, async () => {
      const gateway = gatewayOn(mode, ports[kind]);
      await assert.rejects(gateway.start(), expected);
      assert.match(gateway.stderr, /^boxgate: [^\n]*\n$/);
    });
  }
});

for (const [kind, mode] of [
  ['defaults', 'session'],
  ['defaults', 'exact'],
] as const) {
  test(`a pooler in session mode works: ${mode} with ${kind}`, async (t) => {
    const gateway = gatewayOn(mode, ports[kind]);
    t.after(() => gateway.kill());
    await gateway.start();
    const answers = await times(12, (number) => gateway.register(`box ${number}`));
    assert.deepEqual(statuses(answers), { 201: 12 });
    assert.equal(await gateway.stop(), 0);
    assert.equal(
      gateway.stderr
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('join '))
        .join('\n'),
      '',
    );
  });
}
