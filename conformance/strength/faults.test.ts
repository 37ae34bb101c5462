import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { AnyContext } from '../kernel/check.ts';
import { boxFaults } from './box-faults.ts';
import { brokenIds, type FaultTable, rowsOf } from './fault.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { checkedIds } from './strength.ts';

const sources = join(import.meta.dirname, '..', 'implementations');

function namesInSources(): string[] {
  const files = readdirSync(sources).filter((name) => name.endsWith('.py'));
  const text = files.map((name) => readFileSync(join(sources, name), 'utf8')).join('');
  return [...text.matchAll(/\bwrong\('([a-z0-9-]+)'\)/g)].map(([, name = '']) => name);
}

test('the tables and the Python sources have the same faults', () => {
  const inTables = [...rowsOf(boxFaults), ...rowsOf(gatewayFaults)].map(([name]) => name);
  assert.deepEqual([...new Set(inTables)].sort(), [...new Set(namesInSources())].sort());
});

describe(boxFaults);
describe(gatewayFaults);

function describe<Context extends AnyContext>(table: FaultTable<Context>): void {
  suite(`the faults of the ${table.api.name}`, () => {
    const broken = new Set(rowsOf(table).flatMap((fault) => brokenIds(table.api, fault)));
    const checked = [...checkedIds(table, 'must'), ...checkedIds(table, 'should')];

    test('have unique names', () => {
      const names = rowsOf(table).map(([name]) => name);
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      );
    });

    test('break only musts and shoulds that a check cites', () => {
      assert.deepEqual(
        [...broken].filter((id) => !checked.includes(id)),
        [],
      );
    });

    test('break every must and should that a check cites, unless a reason is given', () => {
      assert.deepEqual(
        checked.filter((id) => !broken.has(id)),
        Object.keys(table.unbroken),
      );
    });
  });
}
