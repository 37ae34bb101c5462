import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeEntry } from '../lib/journal.ts';
import { refuse } from './api/refusals.ts';
import { outcomeOfBody } from './api/service.ts';
import { ContainersFailed, StorageFailed, TooManyChanges } from './core.ts';
import { asChange, outcomeOfError } from './logged-change.ts';

function thrown(act: () => never): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test('choice/box/330: the outcome of a change is read from its response', () => {
  const actions = [{ kind: 'error' as const, target: 'memos', detail: 'exited with 3' }];
  assert.deepEqual(outcomeOfBody({ actions }), { outcome: 'failed', detail: '1 error, memos: exited with 3' });
  assert.equal(outcomeOfBody({ installed: '/apps/memos', actions }).outcome, 'failed');
  assert.equal(outcomeOfBody({ installed: '/apps/gitea', actions }).outcome, 'ok');
  assert.equal(outcomeOfBody({ updated: 'gitea', actions }).outcome, 'ok');
  assert.deepEqual(outcomeOfBody({ services: [] }), { outcome: 'ok', detail: 'nothing newer' });
  assert.deepEqual(outcomeOfBody({ compose_warning: null }), { outcome: 'ok', detail: '' });
  assert.deepEqual(outcomeOfBody({ compose_warning: 'no Docker' }), { outcome: 'ok', detail: 'no Docker' });
  assert.deepEqual(outcomeOfBody({ unit: 'a.service' }), { outcome: 'ok', detail: 'a.service started' });
});

test('choice/box/330: a refused change gives the reason, an unexpected fault gives none', () => {
  const refused = thrown(() => refuse('unknownApp', { app: 'x' }));
  assert.deepEqual(outcomeOfError(refused), { outcome: 'refused', detail: 'there is no app x to install' });
  const failed = thrown(() => refuse('containerToolFailed', { reason: 'no Docker' }));
  assert.deepEqual(outcomeOfError(failed), { outcome: 'failed', detail: 'no Docker' });
  assert.equal(outcomeOfError(new TooManyChanges()).outcome, 'refused');
  for (const error of [new StorageFailed('full'), new ContainersFailed('full', true)]) {
    assert.deepEqual(outcomeOfError(error), { outcome: 'failed', detail: 'full' });
  }
  const unexpected = new Error('/a/path: a secret');
  assert.deepEqual(outcomeOfError(unexpected), { outcome: 'failed', detail: 'internal error' });
});

test('choice/box/330: a change that the box makes itself is in the journal', async () => {
  const entries: ChangeEntry[] = [];
  const change = { operation: 'reconcile', subject: '', by: 'at the start' };
  const actions = [{ kind: 'start' as const, target: 'memos/web', detail: 'it had stopped' }];
  assert.equal(
    await asChange(
      (entry) => entries.push(entry),
      change,
      async () => actions,
    ),
    actions,
  );
  assert.deepEqual(
    entries.map(({ durationMs, ...entry }) => entry),
    [{ ...change, outcome: 'ok', detail: '1 action' }],
  );
});
