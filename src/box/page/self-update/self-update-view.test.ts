import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { localNumber } from '../local-text.js';
import {
  awayText,
  changelogLink,
  isNews,
  ranForMs,
  resultJustNow,
  sentence,
  stageLabel,
  stageList,
  updateResult,
  versionAfter,
} from './self-update-view.js';

test('says nothing of updates before there was one', () => {
  equal(updateResult({}), null);
});

/** A failed update's text also names the running version and says that apps were not touched. */
const versions = { from: '1.0.0', to: '1.1.0' };

test('says why an update was rolled back, and which version runs', () => {
  const result = updateResult({ stage: 'rolled_back', reason: 'the signature does not fit', ...versions });
  equal(result?.kind, 'refused');
  equal(result.text, 'The update from 1.0.0 to 1.1.0 was rolled back: the signature does not fit');
  match(result.more ?? '', /^The old version 1\.0\.0 ran afterwards\. Apps were not touched\. To try again, /);
  const notBack = updateResult({ stage: 'rolled_back', outcome: 'reverted', reason: 'no', ...versions });
  match(notBack?.more ?? '', /^Apps were not touched\./);
  const bare = updateResult({ stage: 'rolled_back' });
  equal(bare?.text, 'The update was rolled back: no reason was given');
  match(bare.more ?? '', /^Apps were not touched\./);
});

test('shows the further lines of a reason below the first', () => {
  const { text, detail } = updateResult({ stage: 'rolled_back', reason: 'it ended\nError: no disk' }) ?? {};
  deepEqual([text, detail], ['The update was rolled back: it ended', 'Error: no disk']);
});

test('explains an interruption by the message of the state', () => {
  const text = (state: object) =>
    updateResult({ stage: 'rolled_back', reason: 'interrupted', ...state })?.text.split(': ')[1];
  equal(text({ message: 'the power was cut' }), 'the power was cut');
  equal(text({}), 'interrupted');
  equal(text({ reason: 'the disk is full', message: 'unpacking' }), 'the disk is full');
});

test('says what an update did when it is done', () => {
  const done = { stage: 'done', ...versions };
  equal(updateResult(done)?.text, 'The update from 1.0.0 to 1.1.0 is done.');
  equal(resultJustNow(done)?.text, 'Updated from 1.0.0 to 1.1.0 just now.');
  const unchanged = { stage: 'done', outcome: 'unchanged', from: '1.0.0', to: '1.0.0' };
  equal(updateResult(unchanged)?.text, 'There was nothing to update.');
  equal(resultJustNow({ ...unchanged, message: 'version 1.0.0 is the newest' })?.text, 'Version 1.0.0 is the newest');
  const failed = { stage: 'rolled_back', reason: 'it ended', ...versions };
  deepEqual(resultJustNow(failed), updateResult(failed));
});

test('knows which version runs after an update', () => {
  equal(versionAfter({ stage: 'done', ...versions }), '1.1.0');
  equal(versionAfter({ stage: 'rolled_back', ...versions }), '1.0.0');
  equal(versionAfter({ stage: 'rolled_back' }), undefined);
});

test('shows how far the download is', () => {
  const text = (state: object) => updateResult({ stage: 'downloading', ...state })?.text;
  equal(text({ progress: 0.426 }), 'Downloading (42 %)');
  equal(
    text({ bytes: 12_345_678, bytes_total: 45_000_000, progress: 0.1 }),
    `Downloading (${localNumber(12.3, 1)} of ${localNumber(45, 1)} MB, 27 %)`,
  );
  equal(text({ bytes: 0, bytes_total: 0, progress: 0 }), 'Downloading (0 %)');
  equal(text({ bytes: '7', bytes_total: null }), 'Downloading');
  equal(updateResult({ stage: 'staging', bytes: 7, bytes_total: 7 })?.text, 'Unpacking');
});

test('names the next step, and that apps keep running', () => {
  const more = (state: Parameters<typeof updateResult>[0]) => updateResult(state)?.more;
  const always = 'Apps keep running, and the update goes on if you leave this page.';
  equal(more({ stage: 'checking' }), `Next: downloading. ${always}`);
  equal(
    more({ stage: 'switching', message: 'waiting for a change' }),
    `Waiting for a change. Next: restarting the box software. ${always}`,
  );
  equal(more({ stage: 'health_check', message: 'Asking.' }), `Asking. ${always}`);
});

test('says when the box is away for longer than a restart takes', () => {
  equal(awayText(59_000), 'The box does not answer while it restarts');
  equal(awayText(125_000), 'The box has not answered for 2 min, which is longer than a restart takes');
});

test('counts the time of an update by the clock of the box', () => {
  const times = { started_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T04:04:06+01:00' };
  equal(ranForMs(times), 1000);
  equal(ranForMs({ ...times, started_at: '1970-01-01T00:00:00Z' }), 0);
  equal(ranForMs({ ...times, updated_at: '2026-01-01T00:00:00Z' }), 0);
  equal(ranForMs({}), 0);
});

test('links to the changelog at an https address, and at no other', () => {
  const changelog = 'https://a.example/b#c';
  deepEqual(changelogLink({ changelog, to: '1.1.0' }), { href: changelog, text: 'What is new in version 1.1.0' });
  deepEqual(changelogLink({ changelog }), { href: changelog, text: 'What is new' });
  const odd = ['javascript:alert(1)', 'JavaScript:https://a', ' https://a.example', 'http://a.example', 'https://', ''];
  for (const each of [...odd, 'data:text/html,x', 7 as never, undefined]) {
    equal(changelogLink(each === undefined ? {} : { changelog: each }), null, String(each));
  }
});

test('shows a stage that it was not told of by its own name', () => {
  equal(updateResult({ stage: 'polishing' })?.text, 'polishing');
  equal(stageLabel({}), '');
  equal(sentence('polishing'), 'Polishing');
  deepEqual(stageList({ stage: 'polishing' }), []);
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
