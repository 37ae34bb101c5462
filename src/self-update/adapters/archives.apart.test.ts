import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { downloadArchive } from './archives.ts';

type Play = (response: ServerResponse, path: string) => void;

let play: Play = () => undefined;
const server = createServer((request, response) => play(response, request.url ?? ''));
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close().closeAllConnections());
const url = (name = 'archive.tar.gz') => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;

let folder = '';
let file = '';
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'download');
});

const patient = { stallMs: 20_000, totalMs: 20_000 };
const archive = Buffer.alloc(200_000, 'archive');
const quiet = async () => undefined;

function download(address: string, { limits = patient, onBytes = quiet as (bytes: number) => Promise<void> } = {}) {
  return downloadArchive(address, { file, size: archive.length, onBytes }, limits);
}

describe('a download', () => {
  test('writes the bytes of a web server, and says how many there are so far', async () => {
    play = (response) => response.end(archive);
    const seen: number[] = [];
    await download(url(), { onBytes: async (bytes) => void seen.push(bytes) });
    assert.ok(archive.equals(await readFile(file)));
    assert.equal(seen.at(-1), archive.length);
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    );
  });

  test('asks for the bytes that were signed, not for compressed ones', async () => {
    let accepted: unknown;
    play = (response) => {
      accepted = response.req.headers['accept-encoding'];
      response.end(archive);
    };
    await download(url());
    assert.equal(accepted, 'identity');
  });

  test('writes the bytes of a file', async () => {
    const source = join(folder, 'source');
    await writeFile(source, archive);
    await download(pathToFileURL(source).href);
    assert.ok(archive.equals(await readFile(file)));
  });

  test('choice/box/137: follows a redirection', async () => {
    play = (response, path) => (path === '/moved' ? response.end(archive) : leadsTo('/moved')(response, path));
    await download(url());
    assert.ok(archive.equals(await readFile(file)));
  });

  const endless: Play = (response) => {
    const more = () => {
      while (!response.destroyed && response.write(archive));
    };
    response.on('drain', more);
    more();
  };
  const leadsTo =
    (target: string): Play =>
    (response) =>
      response.writeHead(302, { Location: target }).end();
  const breaksOff: Play = (response) => {
    response.writeHead(200, { 'Content-Length': archive.length }).write(archive.subarray(1));
    setTimeout(() => response.destroy(), 20);
  };
  const drips: Play = (response) => {
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  };
  const short = archive.subarray(1);
  const stall = { stallMs: 200, totalMs: 20_000 };
  const late = { stallMs: 10_000, totalMs: 300 };
  const faults: [string, RegExp, Play, typeof patient?][] = [
    ['is truncated', /ended after 199999 of 200000/, (response) => response.end(short)],
    ['is empty', /after 0 of/, (response) => response.end()],
    ['breaks off', /cannot be read: /, breaksOff],
    ['is one byte too long', /the 200000 bytes/, (it) => it.end(Buffer.alloc(200_001))],
    ['is endless', /longer than/, endless],
    ['has gone', /status 404/, (response) => response.writeHead(404).end('gone')],
    ['is not there yet', /after 0 of/, (response) => response.writeHead(204).end()],
    ['leads to plain HTTP', /leads to http:\/\/example\.org\/, which is not HTTPS/, leadsTo('http://example.org/')],
    ['leads to a file', /file:\/\/\/etc\/shadow/, leadsTo('file:///etc/shadow')],
    ['leads to itself', /redirects more than 5 times/, leadsTo('/')],
    ['never answers', /nothing for 0\.2 seconds/, () => undefined, stall],
    ['stalls', /nothing for 0\.2 seconds/, (response) => response.write(short), stall],
    ['is too slow', /not complete after 0\.005 minutes/, drips, late],
  ];
  for (const [title, message, plays, limits] of faults) {
    test(`attack: an archive that ${title} ends with a reason`, { timeout: 10_000 }, async () => {
      play = plays;
      await assert.rejects(download(url(), limits ? { limits } : {}), { name: 'UpdateFailed', message });
      const written = await stat(file).catch(() => ({ size: 0 }));
      assert.ok(written.size <= archive.length);
    });
  }

  test('does not count the time that its caller takes as a stall', async () => {
    play = (response) => response.end(archive);
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 1200));
    await download(url(), { limits: { stallMs: 1000, totalMs: 20_000 }, onBytes: slow });
  });

  test('is complete from a server that closes the connection while the caller is busy', async (t) => {
    const large = Buffer.alloc(8 * 1024 * 1024, 'archive');
    const plain = createPlainServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(`HTTP/1.0 200 OK\r\nContent-Length: ${large.length}\r\n\r\n`);
        socket.end(large);
      });
    });
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    t.after(() => plain.close());
    const { port } = plain.address() as AddressInfo;
    const target = {
      file,
      size: large.length,
      onBytes: () => new Promise<void>((done) => setTimeout(done, 2)),
    };
    await downloadArchive(`http://127.0.0.1:${port}/archive.tar.gz`, target, patient);
    assert.ok(large.equals(await readFile(file)));
  });

  test('hands on an error of its caller', async () => {
    play = (response) => response.end(archive);
    const error = new TypeError('a state cannot be written');
    await assert.rejects(download(url(), { onBytes: () => Promise.reject(error) }), error);
  });

  test('cannot be reached: says so', async () => {
    await assert.rejects(download('http://127.0.0.1:9/a'), { message: /127\.0\.0\.1:9/ });
  });

  test('does not wait at a pipe, and reads no folder', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, folder]) {
      await assert.rejects(download(pathToFileURL(path).href), { message: /is not a file/ });
    }
    const missing = pathToFileURL(join(folder, 'missing')).href;
    await assert.rejects(download(missing), { message: /no such file/ });
  });

  test('writes over nothing', async () => {
    await writeFile(file, 'precious');
    play = (response) => response.end(archive);
    await assert.rejects(download(url()), { message: /cannot keep the archive: it exists already/ });
    assert.equal(await readFile(file, 'utf8'), 'precious');
  });
});
