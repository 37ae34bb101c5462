import { join } from 'node:path';
import { check } from '../kernel/check.ts';
import { equal, refused } from '../kernel/expect.ts';
import { runConformance } from '../main.ts';

/** Runs two checks. One fails while it has another request pending, whose rejection must not end the process. */
const hasty = check('box/test/hasty', ['box/listApps/1'], 'does not wait', async (box) => {
  const both = [1, 2].map(async () => refused(await box.get('/api/apps'), 404));
  for (const one of both) await one;
});
const good = check('box/test/good', ['box/listApps/1'], 'holds', async (box) =>
  equal('list', (await box.get('/api/apps')).json, []),
);
const exec = `'${process.execPath}' --no-warnings '${join(import.meta.dirname, 'canned-box.ts')}'`;
process.exitCode = await runConformance({ api: 'box', exec, checks: [hasty, good], report: ['json'] });
