import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { resultsTable, tableFile } from './results.ts';

test('the table of results is made from the stored reports, each with how to reproduce it', () => {
  const table = readFileSync(tableFile, 'utf8');
  assert.equal(table, resultsTable(), 'run: node conformance/results.ts');
  for (const [, place = ''] of table.matchAll(/\]\((\d[^)]*\/)\)/g))
    assert.ok(existsSync(join(dirname(tableFile), place, 'README.md')), place);
});
