import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { inDays, type ReleaseFaults } from './release-feed.ts';

type Release = readonly [name: string, faults: ReleaseFaults];

/** Releases without a valid signed statement for this moment and platform. Checks detect their faults too. */
export const unprovenReleases: readonly Release[] = Object.entries({
  expired: { statement: { issued: inDays(-200), expires: inDays(-2) } },
  'issued in the future': { statement: { issued: inDays(400), expires: inDays(600) } },
  'of a foreign product': { statement: { product: 'othergate' } },
  "with the other platform's archive": { swapped: true },
  'with a statement on another version': { statement: { version: '987.0.1' } },
  'signed by a stranger': { signedBy: 'a stranger' },
  'with the signature of another text': { entry: { signature: signatureOfAnotherText() } },
  'without a signature': { entry: { signature: undefined } },
  'without a statement': { entry: { statement: undefined } },
  'with another digest than the statement': { entry: { sha256: digestOfNothing() } },
});

/** Releases whose archive an update must reject before the switch. */
export const spoiledReleases: readonly Release[] = Object.entries({
  'with one byte changed': { bytes: changeTime },
  truncated: { bytes: (bytes) => bytes.subarray(0, bytes.length - 100) },
  'larger than said': { bytes: (bytes) => Buffer.concat([bytes, Buffer.alloc(100)]) },
  'of no archive': { signedBytes: () => Buffer.from('no archive at all') },
  'cut off before it was signed': { signedBytes: (bytes) => bytes.subarray(0, bytes.length - 100) },
  'that climbs out': { badEntry: 'climbs out' },
  'with an absolute path': { badEntry: 'absolute path' },
  'with a symbolic link': { badEntry: 'symbolic link' },
  'with a hard link': { badEntry: 'hard link' },
  'with a device': { badEntry: 'device' },
  'with a pipe': { badEntry: 'pipe' },
  'with more files than said': { badEntry: 'more than said' },
  'with another version in package.json': { packageFile: { version: '987.0.1' } },
  'with another name in package.json': { packageFile: { name: 'othergate' } },
  'that cannot be run': { behaviour: 'cannot be run' },
});

/** Releases that fail only after the switch. */
export const failingReleases: readonly Release[] = Object.entries({
  'that does not start': { behaviour: 'does not start' },
  'that starts and dies': { behaviour: 'dies' },
  'that never answers': { behaviour: 'never answers' },
  'that answers as another version': { behaviour: 'answers as another version' },
});

function signatureOfAnotherText(): string {
  return sign(null, Buffer.from('another text'), generateKeyPairSync('ed25519').privateKey).toString('base64');
}

function digestOfNothing(): string {
  return createHash('sha256').digest('hex');
}

/** Changes the time in the gzip header; the content stays the same. */
function changeTime(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[4] = 1;
  return changed;
}
