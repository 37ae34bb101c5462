import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routesOf } from './handler/routes.ts';
import { dialects } from './model/dialect.ts';
import { readRecording } from './testing/recording.ts';
import { replay } from './testing/replay.ts';

/**
 * Every exchange with the real programs (`recordings/`, never edited) is played on the fake in the recorded order
 * and compared: status, reason, every header but the date, and the body byte by byte. What differs from run to
 * run is masked as the files mark it. None is left out.
 */
const counts = { '14': 156, '15.1': 185, '15.3': 187, '15.4': 188 };

for (const dialect of dialects) {
  describe(`wg-easy ${dialect}`, () => {
    test('answers every recorded request as the real one did', async () => {
      const { played, unknown } = await replay(dialect);
      for (const { name, recorded, answered } of played) assert.deepEqual(answered, recorded, name);
      assert.equal(new Set(played.map(({ name }) => name)).size, counts[dialect]);
      assert.deepEqual(unknown, []);
    });

    test('serves nothing that was not recorded', () => {
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
