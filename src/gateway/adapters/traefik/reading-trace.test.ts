import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeReadingTrace } from './reading-trace.ts';

function makeRoutes(t: TestContext) {
  const routes = mkdtempSync(join(tmpdir(), 'boxgate-trace-'));
  t.after(() => rmSync(routes, { recursive: true }));
  const work = join(routes, '.boxgate');
  mkdirSync(work);
  return { routes, work };
}

/** Times of access have the grain of the kernel's clock tick: waits until a reading now would have another time. */
function passTick(routes: string): void {
  const probe = join(routes, 'probe');
  const timeNow = () => {
    writeFileSync(probe, '');
    return statSync(probe, { bigint: true }).mtimeNs;
  };
  const start = timeNow();
  while (timeNow() === start);
  rmSync(probe);
}

/** Some file systems are mounted so that they keep no time of access. */
function keepsAccessTimes({ routes, work }: { routes: string; work: string }): boolean {
  const before = statSync(work).atimeMs;
  writeFileSync(join(work, 'x'), '');
  passTick(routes);
  readdirSync(work);
  return statSync(work).atimeMs !== before;
}

test('choice/gateway/118: who listed the directory since the last time of asking is noticed, each time', (t) => {
  const place = makeRoutes(t);
  if (!keepsAccessTimes(place)) return t.skip('this file system keeps no time of access');
  const wasRead = makeReadingTrace(place.work);
  assert.equal(wasRead(), true, 'before there was a trace, too');
  for (let round = 0; round < 3; round += 1) {
    assert.equal(wasRead(), false);
    passTick(place.routes);
    readdirSync(place.work);
    assert.equal(wasRead(), true);
  }
  assert.deepEqual(readdirSync(place.work), ['x'], 'it leaves nothing behind');
});

test('a change of ours that has an earlier time than the reading before it is made once more', (t) => {
  const { work } = makeRoutes(t);
  const wasRead = makeReadingTrace(work);
  wasRead();
  const read = Math.floor(Date.now() / 1000) - 10;
  // As kernels do that tell readings in nanoseconds and changes in ticks of their clock.
  const setTimes = () => utimesSync(work, read, read - 1);
  setTimes();
  assert.equal(wasRead(), true);
  setTimes();
  assert.equal(wasRead(), false);
  assert.ok(statSync(work).mtimeMs > read * 1000, 'the next reading will have a time of its own');
});

test('our own writing there is no reading', (t) => {
  const { routes, work } = makeRoutes(t);
  const wasRead = makeReadingTrace(work);
  assert.equal(wasRead(), false);
  passTick(routes);
  writeFileSync(join(work, 'a.tmp'), '');
  renameSync(join(work, 'a.tmp'), join(routes, 'a.yml'));
  assert.equal(wasRead(), false);
});

test('a directory that is gone is not read', (t) => {
  const { work } = makeRoutes(t);
  const wasRead = makeReadingTrace(work);
  rmSync(work, { recursive: true });
  assert.equal(wasRead(), false);
});
