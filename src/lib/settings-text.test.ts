import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEdited, withDigest, withVariables } from './settings-text.ts';

test('sets variables and leaves every other line as it is', () => {
  assert.equal(withVariables('', { A: '1', B: '' }), 'A=1\nB=\n');
  assert.equal(withVariables('# A=0\nA=x\nC=3', { A: '1', B: '2' }), '# A=0\nA=1\nC=3\nB=2\n');
  assert.equal(withVariables('A=x\nAB=y\nA=z\n', { A: '1' }), 'A=x\nAB=y\nA=1\n', 'the last line counts');
  const once = withVariables('A=x\n', { A: '1', B: '2' });
  assert.equal(withVariables(once, { A: '1', B: '2' }), once);
});

test('notices every edit of a text', () => {
  const text = withDigest('a: 1\n');
  assert.equal(isEdited(text), false);
  for (const other of [`${text}# mine\n`, 'a: 1\n', '', text.replace('boxgate', 'mine')]) {
    assert.equal(isEdited(other), true, other);
  }
});
