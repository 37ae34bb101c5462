import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { levelOf } from './kernel/check.ts';
import { readSet } from './requirement-set.ts';
import { suiteVersion } from './run/suite.ts';

for (const { name, checks, profileChecks } of [boxApi, gatewayApi]) {
  test(`every check of the ${name} has an id of its form and cites rules of one level`, () => {
    for (const one of [...checks, ...profileChecks]) {
      assert.match(one.id, /^(box|gateway)\/[A-Za-z-]+\/[a-z0-9-]+$/);
      assert.doesNotThrow(() => levelOf(one));
    }
  });
}

test('the suite has every check of the current set', () => {
  const version = suiteVersion.replace(/\.\d+$/, '');
  const ids = new Set([...boxApi.checks, ...gatewayApi.checks].map(({ id }) => id));
  const removed = [...(readSet(version)?.levels.keys() ?? [])].filter((id) => !ids.has(id));
  const hint = `removed or renamed; before the release of ${version}: node conformance/check-ids.ts --set ${version}`;
  assert.deepEqual(removed, [], hint);
});
