import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkIds, goldenFile } from './check-ids.ts';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { levelOf } from './kernel/check.ts';

test('all checks have their published ids and levels', () => {
  const [published, present] = [readFileSync(goldenFile, 'utf8'), checkIds()].map((text) => text.split('\n'));
  const added = present?.filter((line) => !published?.includes(line));
  const missing = published?.filter((line) => !present?.includes(line));
  const hint = 'see "How the suite is versioned" in conformance/README.md, then run: node conformance/check-ids.ts';
  assert.deepEqual({ added, missing }, { added: [], missing: [] }, hint);
  assert.deepEqual(present, published, hint);
});

for (const { name, checks, profileChecks } of [boxApi, gatewayApi]) {
  test(`every check of the ${name} has an id of its form and cites rules of one level`, () => {
    for (const one of [...checks, ...profileChecks]) {
      assert.match(one.id, /^(box|gateway)\/[A-Za-z-]+\/[a-z0-9-]+$/);
      assert.doesNotThrow(() => levelOf(one));
    }
  });
}
