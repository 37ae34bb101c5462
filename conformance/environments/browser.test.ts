import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidOption } from '../invalid-option.ts';
import { startBrowser } from './browser.ts';

for (const [what, path, message] of [
  ['that is not there', '/no/such/browser', /^--browser: .*ENOENT/],
  ['that is no Chromium', process.execPath, /^--browser: .* is no Chromium or Chrome: --version prints "v\d+/],
] as const) {
  test(`refuses a program ${what} as a browser, and names the option`, async () => {
    await assert.rejects(startBrowser(path), (error: Error) => {
      assert.ok(error instanceof InvalidOption);
      assert.match(error.message, message);
      return true;
    });
  });
}
