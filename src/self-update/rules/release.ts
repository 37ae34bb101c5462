import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';
import { isJsonObject, parseJson } from '../../lib/json.ts';

/** A version of the box software that the release feed announces. */
export type Release = {
  version: string;
  /** By platform, as `linux-x64`. */
  archives: Record<string, ReleaseArchive>;
};

export type ReleaseArchive = { url: string; sha256: string; signature: string };

export type ReleaseVerdict = { ok: true; release: Release } | { ok: false; problem: string };

/** The release that a feed's text announces, or what is wrong with the text. choice/box/137 */
export function parseRelease(text: string): ReleaseVerdict {
  const value = parseJson(text);
  if (!isJsonObject(value)) return { ok: false, problem: 'the release feed is not a JSON object' };
  const version = typeof value.version === 'string' ? valid(value.version) : null;
  if (version === null) {
    return { ok: false, problem: 'the release feed has no semantic version in its field version' };
  }
  const archives = value.archives ?? {};
  if (!isJsonObject(archives) || !Object.values(archives).every(isArchive)) {
    return { ok: false, problem: 'the release feed has an archive without url, sha256 or signature' };
  }
  return { ok: true, release: { version, archives: archives as Record<string, ReleaseArchive> } };
}

/**
 * Whether a version is newer than the one that runs: a downgrade is never offered, nor the same version again.
 * choice/box/140
 */
export function isNewer(version: string, runningVersion: string): boolean {
  return gt(version, runningVersion);
}

function isArchive(value: unknown): value is ReleaseArchive {
  return (
    isJsonObject(value) && ['url', 'sha256', 'signature'].every((field) => typeof value[field] === 'string')
  );
}
