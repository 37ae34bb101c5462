import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEntry } from '../kernel/journal.ts';
import { byteEvidence, processEvidence, showEvidence, whyNoBytes } from './evidence.ts';

const crashed = { status: 9, signal: null, killed: false, sent: null };
const stopped = { status: 0, signal: null, killed: false, sent: 'SIGTERM' };

function bytes(...received: string[]): JournalEntry {
  const exchange = { responses: [], closed: true, isLate: false, bytes: Buffer.from(received.join('')) };
  return { by: 'bytes', request: { parts: ['GET / HTTP/9\r\n', 50, Buffer.from([0xff])] }, exchange };
}

test('shows how each process was started, its last lines, and how it ended', () => {
  const stderr = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
  const started = 'box --port 0 with BOX_PORT';
  const [first, second, ...others] = processEvidence([
    { started: null, ended: () => stopped, stderr: () => '' },
    { started, ended: () => crashed, stderr: () => stderr },
    { started: null, ended: () => null, stderr: () => '' },
  ]);
  assert.deepEqual(first, {
    about: 'the implementation (start 1 of 3)',
    lines: ['it ended with status 0, after SIGTERM of the suite'],
  });
  assert.equal(second?.about, 'the implementation (start 2 of 3)');
  assert.deepEqual(second?.lines.slice(0, 2), [`$ ${started}`, '| line 8']);
  assert.equal(second?.lines.at(-1), 'it ended with status 9');
  assert.deepEqual(others, []);
});

test('hides secrets, and makes control and bidirectional characters visible', () => {
  const clean = (text: string) => text.replaceAll('word', '[secret]');
  const shown = showEvidence({ about: 'output', lines: ['\u001b[2Jword\u202e\u009b'] }, clean);
  assert.deepEqual(shown.lines, ['\\u001b[2J[secret]\\u202e\\u009b']);
});

test('shows the bytes of the latest connection unless a request came after them', () => {
  assert.deepEqual(byteEvidence([bytes('HTTP/1.1 400 \r\n\x00')]), [
    {
      about: 'bytes of a connection',
      lines: [
        '> GET / HTTP/9\\r\\n',
        '  50 ms later',
        '> \\xff',
        '< HTTP/1.1 400 \\r\\n\\x00',
        '< (closed by the implementation)',
      ],
    },
  ]);
  const request: JournalEntry = { by: 'request', request: { method: 'GET', path: '/' }, response: null };
  assert.deepEqual(byteEvidence([bytes(''), request]), []);
});

test('distinguishes a crash from a closed connection', () => {
  const why = (end: typeof crashed | null) =>
    whyNoBytes([bytes()], [{ started: null, ended: () => end, stderr: () => '' }]);
  assert.equal(why(crashed), 'the implementation crashed: it ended with status 9');
  assert.equal(why(null), null);
});
