import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { attachmentHeaders } from './attachment.ts';

test('a name of a file is one value of a header, whatever is in it', () => {
  for (const [name, expected] of [
    ['a b.txt', `filename="a b.txt"; filename*=UTF-8''a%20b.txt`],
    ['ü"\r\nX: y;', `filename="____X_ y_"; filename*=UTF-8''%C3%BC%22%0D%0AX%3A%20y%3B`],
    [`it's (1)*\ud800`, `filename="it_s (1)__"; filename*=UTF-8''it%27s%20%281%29%2A%EF%BF%BD`],
  ] as const) {
    const headers = attachmentHeaders(name);
    deepEqual(headers, {
      'Content-Disposition': `attachment; ${expected}`,
      'Content-Security-Policy': 'sandbox',
    });
  }
});
