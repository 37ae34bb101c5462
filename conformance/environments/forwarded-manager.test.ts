import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWgEasy } from '../../fakes/wg-easy/wg-easy.ts';
import { InvalidOption } from '../invalid-option.ts';
import { openOperatorManager } from './operator-manager.ts';

test('a wrong password or another server than wg-easy is an invalid option', async (context) => {
  const theirs = await startWgEasy({ dialect: '15.4' });
  context.after(() => theirs.close());
  const { url, username } = theirs;
  const wrong = openOperatorManager({ url, username, password: 'not the one' });
  await assert.rejects(wrong, (error) => error instanceof InvalidOption && /^--tunnel: http/.test(error.message));
  const nobody = openOperatorManager({ url: 'http://127.0.0.1:1', username, password: 'x' });
  await assert.rejects(nobody, InvalidOption);
});
