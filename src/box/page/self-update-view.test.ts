import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isFinal, isNews, stageList, updateResult } from './self-update-view.js';

test('takes done and rolled_back, and nothing else, as the end (box/update-state/6)', () => {
  equal(isFinal({ stage: 'done' }), true);
  equal(isFinal({ stage: 'rolled_back' }), true);
  equal(isFinal({ stage: 'restarting' }), false);
  equal(isFinal({}), false);
});

test('says nothing of updates before there was one', () => {
  equal(updateResult({}), null);
});

test('says why an update was rolled back', () => {
  deepEqual(
    updateResult({ stage: 'rolled_back', reason: 'the signature does not fit', from: '1.0.0', to: '1.1.0' }),
    {
      kind: 'refused',
      text: 'The update from 1.0.0 to 1.1.0 was rolled back: the signature does not fit',
    },
  );
});

test('says what an update did when it is done', () => {
  equal(
    updateResult({ stage: 'done', from: '1.0.0', to: '1.1.0' })?.text,
    'The update from 1.0.0 to 1.1.0 is done.',
  );
  equal(updateResult({ stage: 'done', outcome: 'unchanged' })?.text, 'There was nothing to update.');
});

test('shows how far the download is', () => {
  equal(updateResult({ stage: 'downloading', progress: 0.426 })?.text, 'Downloading (42 %)');
});

test('shows a stage that it was not told of by its own name', () => {
  equal(updateResult({ stage: 'polishing' as never })?.text, 'polishing');
  deepEqual(stageList({ stage: 'polishing' as never }), []);
});

test('places each stage before, at or after the current one', () => {
  deepEqual(
    stageList({ stage: 'verifying' }).map(({ place }) => place),
    ['past', 'past', 'now', 'ahead', 'ahead', 'ahead', 'ahead'],
  );
});

test('does not take the end of an earlier update for that of this one', () => {
  const before = JSON.stringify({ stage: 'done', attempt: '1' });
  equal(isNews({ stage: 'done', attempt: '1' }, before), false);
  equal(isNews({ stage: 'done', attempt: '2' }, before), true);
  equal(isNews({ stage: 'checking' }, JSON.stringify({ stage: 'checking' })), true);
  equal(isNews({}, '{}'), false);
});
