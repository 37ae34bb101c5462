import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeText } from '../../rules/text/amounts.ts';
import {
  listedText,
  madeText,
  putBackText,
  restoredText,
  returnedLines,
  shownFacts,
  waitsText,
} from './backup-texts.ts';

const snapshot = { id: '12345678abcdef', bytes: 2_000_000, bytesAdded: 1500, unread: ['/a/b'] };
const listed = { shortId: '12345678', time: new Date('2026-11-26T05:20:00Z') };
const tags = { app: 'a', reason: 'update', version: '1.2', isIncomplete: false, isRemoved: false };
const leftOut = [{ what: '/srv', why: 'outside' }];
const facts = {
  app: 'a',
  version: '1.2',
  directory: '/apps/a',
  project: 'a',
  images: [{ service: 'web', tag: 'web:1', id: 'sha256:1', digests: [] }],
  volumes: [{ name: 'a_data', key: 'data', path: '/v', labels: {} }],
  leftOut,
  install: null,
};

test('a roll-back says "data of before" only if all of it was put back', () => {
  assert.equal(putBackText([]), ' and its data of before');
  assert.equal(putBackText([{ what: 'volume a_thumbs', why: 'its manifest excludes it' }]), ' and its data of before');
  const stays = [...leftOut, { what: 'volume x', why: 'excluded' }];
  assert.match(putBackText(stays), /put back, except for .* left it: \/srv \(outside\), volume x \(excluded\)$/);
});

test('shows a volume without a name by where it is', () => {
  const volumes = [{ name: 'f00', key: 'k', path: '/v', labels: {}, at: [{ service: 'db', target: '/data' }] }];
  assert.match(shownFacts(listed, tags, { ...facts, volumes }), /^ {2}the volume without a name at \/data of db$/m);
});

test('says what waits', () => assert.match(waitsText('a'), /of a was cut off/));

test('shows sizes in the unit that fits', () => {
  assert.deepEqual([0, 999, 1_500, 2_500_000, 25e6, 3e9].map(sizeText), [
    '0.0 kB',
    '1.0 kB',
    '1.5 kB',
    '2.5 MB',
    '25 MB',
    '3.0 GB',
  ]);
});

test('says what was copied, how long the app was away, and what the backup lacks', () => {
  assert.equal(
    madeText({ snapshot, awayMs: 1234, facts: { ...facts, volumes: [] }, fault: ', but it falls' }),
    'a: backup 12345678 of 2.0 MB, 1.5 kB new; the app was away for 1.2 s, but it falls\n  not copied: /srv (outside)\n  could not be read: /a/b',
  );
  const volumes = facts.volumes.map((volume) => ({ ...volume, usedBy: ['x'] }));
  const text = madeText({ snapshot, awayMs: null, facts: { app: 'a', volumes, leftOut: [] }, fault: null });
  assert.match(text, /the app did not run\n {2}x of another project may have changed the volume a_data while/);
});

test('lists a backup in one line', () => {
  assert.equal(listedText(listed, tags, 2345), '12345678\t2026-11-26 05:20 UTC\ta\t1.2\tupdate\taway 2.3 s');
  assert.match(listedText(listed, { ...tags, isIncomplete: true }), /incomplete$/);
  assert.match(listedText(listed, tags), /\tupdate$/);
});

test('shows what a backup has and lacks', () => {
  const [, ...lines] = shownFacts(listed, tags, facts).split('\n');
  assert.deepEqual(lines, [
    '  directory /apps/a',
    '  volume a_data',
    '  image of web: web:1 (sha256:1)',
    '  not copied: /srv (outside)',
  ]);
});

test('says that a restore goes back to a version, and how to undo it', () => {
  assert.match(restoredText(facts, listed, null), /goes back to version 1\.2\. It is back$/);
  assert.match(restoredText(facts, listed, '12345678abc'), /trash, and its data in the backup 12345678\. It/);
});

test('an owner is told how an app came back and what it lacks, not of each part that runs', () => {
  const lines = [
    'it is back and runs',
    'notes/web: created',
    '  not copied: volume x_cache (its manifest excludes it)',
  ];
  lines.push('  not copied: volume x_share (its data is outside of Docker)');
  const missing = 'not copied: the data x_share (its data is outside of Docker)';
  assert.deepEqual(returnedLines('notes', lines.join('\n'), true), ['it is back and runs', missing]);
  assert.equal(returnedLines('notes', lines.join('\n'), false)[1], 'notes/web: created');
});
