import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { type Machines, machineTag, makeIsOwn, takeOver } from './machines.ts';

const self: Machines = { self: 'a1', names: ['attic', 'old-name'], taken: {} };
const at = (day: number) => new Date(Date.UTC(2026, 10, day));
const made = (host: string, day: number, id = '') => ({ host, tags: id === '' ? [] : [machineTag(id)], time: at(day) });

test('a machine knows its snapshots by its id and host names, as others may have its name', () => {
  const all = [
    made('attic', 1),
    made('attic', 2, 'a1'),
    made('old-name', 2, 'a1'),
    made('attic', 3, 'b2'),
    made('loft', 1),
  ];
  deepEqual(all.map(makeIsOwn(all, self)), [true, true, true, false, false]);
});

test('snapshots that were taken over are own ones until their machine makes another one', () => {
  const [first, last] = [made('loft', 1), made('loft', 5)];
  const taken = takeOver([first, last], self, at(6));
  equal(makeIsOwn([first, last], taken)(first), true);
  const all = [first, last, made('loft', 7)];
  deepEqual(all.map(makeIsOwn(all, taken)), [false, false, false]);
  deepEqual(all.map(makeIsOwn(all, takeOver(all, taken, at(8)))), [true, true, true]);
});

test('a snapshot from the future does not make a machine one that is still at work', () => {
  const future = [made('loft', 1), made('loft', 900)];
  deepEqual(future.map(makeIsOwn(future, takeOver(future, self, at(2)))), [true, true]);
});
