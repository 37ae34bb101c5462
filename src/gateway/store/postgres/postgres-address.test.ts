import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TLSSocket } from 'node:tls';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { makePostgresDatabase } from './postgres-database.ts';

const folder = temporaryFolder();
const inFolder = (name: string) => join(folder, name);
for (const name of ['db', 'other']) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  const names = ['-subj', '/CN=db', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', `${name}.pem`, ...names], { cwd: folder, stdio: 'ignore' });
}
writeFileSync(inFolder('text'), 'no PEM');

/** A server that speaks TLS like PostgreSQL, and then says that it is shutting down. */
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write('S');
    const secure = new TLSSocket(socket, {
      isServer: true,
      key: readFileSync(inFolder('db.key')),
      cert: readFileSync(inFolder('db.pem')),
    });
    secure.on('error', () => undefined);
    secure.once('data', () => {
      const fields = 'SFATAL\0C57P03\0Mthe server is shutting down\0\0';
      const length = Buffer.alloc(4);
      length.writeUInt32BE(fields.length + 4);
      secure.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]));
    });
  });
});

describe('an address of PostgreSQL with certificates', () => {
  before(async () => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => server.close());
  const ca = `sslrootcert=${inFolder('db.pem')}`;
  const connected = /the server is shutting down$/;
  const untrusted = /self-signed certificate; name its authority by sslrootcert=FILE/;

  for (const [host, query, expected] of [
    ['localhost', 'sslmode=require', untrusted],
    ['localhost', 'sslmode=verify-ca', untrusted],
    ['localhost', `sslmode=require&sslrootcert=${inFolder('other.pem')}`, untrusted],
    ['localhost', 'sslmode=prefer', untrusted],
    ['localhost', 'sslrootcert=system', untrusted],
    ['localhost', 'sslmode=no-verify', connected],
    ['localhost', 'uselibpqcompat=true&sslmode=require', connected],
    ['localhost', `uselibpqcompat=true&sslmode=require&sslrootcert=${inFolder('other.pem')}`, untrusted],
    ['localhost', ca, connected],
    ['localhost', `sslmode=verify-full&${ca}`, connected],
    ['127.0.0.1', `sslmode=verify-full&${ca}`, /names; use its name|altnames; use its name/],
    ['127.0.0.1', `sslmode=verify-ca&${ca}`, connected],
    ['localhost', 'sslrootcert=/no/such/file', /names sslrootcert=\/no\/such\/file: there is no such file$/],
    ['localhost', `sslrootcert=${folder}`, /names sslrootcert=\S+: EISDIR/],
    ['localhost', `sslcert=${inFolder('text')}`, /names sslcert=\S+: it holds no certificate/],
    ['localhost', `sslkey=${inFolder('db.pem')}`, /names sslkey=\S+: it holds no private key/],
    ['localhost', `sslcert=${inFolder('db.pem')}&sslkey=${inFolder('other.key')}`, /is not the key of its sslcert$/],
  ] as const) {
    it(`${host} with ${query.replaceAll(folder, 'F')}`, async (t) => {
      const warnings: Error[] = [];
      const note = (warning: Error) => warnings.push(warning);
      process.on('warning', note);
      t.after(() => process.off('warning', note));
      const { port } = server.address() as AddressInfo;
      const open = async () =>
        makePostgresDatabase(`postgres://a:hunter2@${host}:${port}/db?${query}`).connect({ lockMs: 0, answerMs: 0 });
      await assert.rejects(open(), (error: Error) => {
        assert.equal(error.name, 'StoreFailed');
        assert.match(error.message, /^[^\n]{10,300}$/);
        assert.match(error.message, expected);
        return true;
      });
      await new Promise(setImmediate); // Warnings are emitted in the next turn.
      assert.deepEqual(warnings, []);
    });
  }
});
