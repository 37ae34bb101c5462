import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportFault } from '../http/report.ts';
import { logLine } from '../lib/log-line.ts';
import { tell } from './command.ts';

test('what a command, the journal and a fault say has no character that acts on its reader', (t) => {
  const acting = 'a\u001b[2J\u202e\u2028b';
  for (const say of [
    () => tell({ status: 0, text: acting }),
    () => tell({ status: 1, text: acting }),
    () => logLine(`${acting}\n`),
    () => reportFault(new Error(acting)),
  ]) {
    let said = '';
    const mocks = [process.stdout, process.stderr].map((stream) =>
      t.mock.method(stream, 'write', (text: string) => {
        said += text;
        return true;
      }),
    );
    say();
    for (const { mock } of mocks) mock.restore();
    assert.match(said, /^[\x20-\x7e\n]+$/);
    assert.match(said, /a\\u\{1b\}\[2J\\u\{202e\}\\u\{2028\}b/);
  }
});
