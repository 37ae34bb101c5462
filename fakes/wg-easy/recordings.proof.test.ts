import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routesOf } from './handler/routes.ts';
import { dialects } from './model/dialect.ts';
import { readRecording } from './testing/recording.ts';
import { replay } from './testing/replay.ts';

/**
 * Replays all recordings of the real programs, which are never edited, in order. Compares status, reason, all headers
 * but the date, and the body byte by byte. Variable parts are masked as marked in the files.
 */
const counts = { '14': 156, '15.4': 188 };

for (const dialect of dialects) {
  describe(`wg-easy ${dialect}`, () => {
    test('answers every recorded request like the real one', async () => {
      const { played, unknown } = await replay(dialect);
      for (const { name, recorded, answered } of played) assert.deepEqual(answered, recorded, name);
      assert.equal(new Set(played.map(({ name }) => name)).size, counts[dialect]);
      assert.deepEqual(unknown, []);
    });

    test('serves only recorded requests', () => {
      const asked = readRecording(dialect).exchanges.map(
        ({ request: { method, path } }) => `${method} ${path.split('?', 1)[0]}`,
      );
      for (const [method, pattern] of routesOf(dialect)) {
        const shape = new RegExp(`^${method} ${pattern.replace('ID', '[^/]+')}$`);
        assert.ok(
          asked.some((one) => shape.test(one)),
          `${method} ${pattern}`,
        );
      }
    });
  });
}
