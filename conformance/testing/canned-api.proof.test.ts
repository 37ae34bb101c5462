import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runConformance } from '../main.ts';
import type { ApiName } from '../run/api.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-canned-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** For each API, checks that a valid response alone cannot pass. */
const looks: Record<ApiName, string[]> = {
  box: [
    'box/listApps/one-entry-a-directory',
    'box/getAppSettings/installed',
    'box/updateAppSettings/merges',
    'box/updateApp/newer-image',
    'box/checkSelfUpdate/newer',
    'box/applySelfUpdate/running',
    'box/installApp/copies-writes-starts',
    'box/removeApp/brings-down-and-deletes',
    'box/properties/bodies',
    'box/icon/pattern',
  ],
  gateway: [
    'gateway/authentication/invalid',
    'gateway/deregisterBox/ok',
    'gateway/limits/boxes',
    'gateway/listRoutes/ok',
    'gateway/model/random-commands',
    'gateway/properties/bodies',
    'gateway/publishRoute/subdomain-in-use',
    'gateway/registerBox/ok',
    'gateway/rotateBoxToken/old-token',
    'gateway/tunnel/version-14',
  ],
};

for (const api of ['box', 'gateway'] as const) {
  test(`a ${api} that only knows its OpenAPI document fails the checks of effects`, async () => {
    const file = join(folder, `${api}.json`);
    const exec = `'${process.execPath}' --no-warnings '${join(import.meta.dirname, 'canned-api.ts')}' ${api}`;
    const status = await runConformance({ api, exec, only: looks[api], report: [`json=${file}`] });
    const { checks } = JSON.parse(readFileSync(file, 'utf8')) as { checks: { id: string; outcome: string }[] };
    const passed = checks.filter(({ outcome }) => outcome !== 'fail');
    const ran = new Set(checks.map(({ id }) => id));
    const missing = looks[api].filter((id) => !ran.has(id));
    assert.deepEqual([status, passed, missing], [1, [], []]);
  });
}
