import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookupProblems, recordLines } from './judge-names.ts';

test('a name leads to this machine, and nowhere else', () => {
  const own = ['127.0.0.1', '192.168.1.7', 'fd00::7'];
  const cases: [string[], RegExp | null][] = [
    [['192.168.1.7'], null],
    [['192.168.1.7', 'fd00::7'], null],
    [[], /a\.org has no address/],
    [['203.0.113.9'], /leads to 203\.0\.113\.9, which is not this machine/],
    [['192.168.1.7', '2001:db8::1'], /leads to 2001:db8::1,/],
  ];
  for (const [found, problem] of cases) {
    const [text = ''] = lookupProblems([{ host: 'a.org', found }], own);
    assert.match(text, problem ?? /^$/, found.join(' '));
  }
});

test('the records to make have the address in the home network', () => {
  const text = (home: string[]) => recordLines('box.example.org', home).join('\n');
  assert.match(text(['192.168.1.7', 'fd00::7']), /\*\.box\.example\.org {2}A {2}192\.168\.1\.7\n/);
  assert.match(text(['fd00::7']), /\*\.box\.example\.org {2}AAAA {2}fd00::7\n/);
  assert.match(text([]), /A {2}ADDRESS-OF-THIS-BOX/);
});
