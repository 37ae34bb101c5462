import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, failure, type ReasonCode, type ReasonDetails, reasons, UpdateFailed } from './reasons.ts';

const address = 'https://example.org/release.json';
const url = 'https://example.org/boxgate-2.0.0-linux-x64.tar.gz';
const version = '2.0.0';
const platform = 'linux-x64';
const unit = 'boxgate-box.service';
const now = new Date('2026-03-01T10:00:00Z');

/** Every reason with details that can occur. */
const samples: { [Code in ReasonCode]: ReasonDetails<Code> } = {
  noFeed: { service: 'gateway' },
  feedUnreadable: { address, problem: 'connect ECONNREFUSED' },
  feedNoFile: { address },
  feedTooLarge: { address, bytes: 1048576 },
  feedTooSlow: { address, seconds: 10 },
  feedElsewhere: { address, target: 'http://example.org/' },
  feedStatus: { address, status: 404 },
  feedMalformed: { problem: 'is not a JSON object' },
  unsigned: { address, version, platform },
  keyUnreadable: { path: '/etc/boxgate/key.pem', problem: 'permission denied' },
  keyMalformed: { path: '/etc/boxgate/key.pem', service: 'box' },
  badSignature: { version, platform },
  statementMalformed: { version, problem: 'has no usable field size' },
  foreignRelease: { field: 'platform', found: 'linux-arm64', wanted: platform },
  mixedRelease: { version, field: 'sha256' },
  expired: { version, expired: now, now },
  clock: { version, issued: now, now },
  archiveUnreadable: { url, problem: 'connect ECONNREFUSED' },
  archiveNoFile: { url },
  archiveStatus: { url, status: 404 },
  archiveElsewhere: { url, target: 'http://example.org/' },
  archiveStalled: { url, seconds: 60 },
  archiveTooSlow: { url, minutes: 120 },
  archiveCutOff: { url, bytes: 7, size: 1000 },
  archiveTooLarge: { url, size: 1000 },
  archiveDamaged: { problem: 'unexpected end of file' },
  archiveEntry: { name: '../x', problem: 'leads out of its folder' },
  archiveCrowded: { entries: 20000 },
  archiveUnpackedSize: { bytes: 4000 },
  storage: { problem: 'cannot write /opt/boxgate/.download: no space left on the disk' },
  archiveAddress: { address: 'file:///srv/release.json', target: 'ftp://example.org/a' },
  unsignedArchive: { version, platform },
  notInstalled: { version, folder: '/opt/boxgate', service: 'box' },
  otherCurrent: { version, current: '1.5.0', folder: '/opt/boxgate', service: 'gateway' },
  noUnit: { service: 'box' },
  unitNotActive: { unit, state: 'failed' },
  otherUnit: { unit, folder: '/opt/boxgate', service: 'gateway' },
  diskFull: { folder: '/opt/boxgate', needed: '311 MiB', free: '12 MiB' },
  wrongDigest: { version },
  otherContents: { version, found: 'other 2.0.0' },
  doesNotRun: { version, problem: 'exit status 1' },
  changeInProgress: { minutes: 30 },
  notStarted: { unit, problem: 'job failed' },
  stopped: { signal: 'SIGTERM' },
  storeMigration: { from: 3, to: 4 },
  unhealthy: { version, problem: 'starts and then ends', unit },
};

for (const code of Object.keys(reasons) as ReasonCode[]) {
  test(`${code} is one line that shows what was found`, () => {
    const { message } = failure(code, samples[code]);
    assert.match(message, /^\S[^\n]{20,}\S$/);
    assert.doesNotMatch(message, /undefined|null|NaN|\[object/);
    for (const value of Object.values(samples[code])) {
      const shown = value instanceof Date ? '2026-03-01' : String(value);
      assert.ok(message.toLowerCase().includes(shown.toLowerCase()), `${message} shows ${shown}`);
    }
  });
}

test('a gateway is named another setting than a box', () => {
  assert.match(failure('noFeed', { service: 'gateway' }).message, /GATEWAY_RELEASE_FEED in .*gateway\.env/);
  assert.match(failure('noFeed', { service: 'box' }).message, /BOX_RELEASE_FEED in .*box\.env/);
});

test('a feed at HTTPS is not told that an archive may lie on this machine', () => {
  assert.doesNotMatch(failure('archiveAddress', { address, target: 'file:///a' }).message, /this machine/);
});

test('a failure has the code, the sentence and the cause', () => {
  const cause = new Error('x');
  assert.throws(
    () => fail('feedNoFile', { address }, cause),
    (error) => error instanceof UpdateFailed && error.code === 'feedNoFile' && error.cause === cause,
  );
});

test('long and unprintable texts of others do not reach an owner', () => {
  const { message } = failure('feedUnreadable', { address, problem: `\u001b]0;\n${'x'.repeat(5000)}` });
  assert.equal(message.length, 1000);
  assert.match(message, /\\u\{1b\}.*x…$/);
});
