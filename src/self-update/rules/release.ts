import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { fail } from './update-failed.ts';

export type Release = {
  version: string;
  /** By platform, such as `linux-x64`. */
  archives: Record<string, ReleaseArchive>;
  /** From the oldest to the newest key. */
  keyChanges: SignedText[];
};

/** `statement` is a JSON text, `signature` an Ed25519 signature of it in Base64. */
export type ReleaseArchive = { url: string; sha256: string; signature: string; statement?: string; size?: number };

export type SignedText = { statement: string; signature: string };

type IsSigned = (key: string, text: string, signature: string) => boolean;

const maxKeyChanges = 10;
const maxKeyLength = 4096;

/** The release that a feed's text announces. Throws UpdateFailed. choice/box/137, choice/box/139 */
export function parseRelease(text: string): Release {
  const value = parseJson(text);
  if (!isJsonObject(value)) failAsMalformed('is not a JSON object');
  const version = typeof value.version === 'string' ? valid(value.version) : null;
  if (version === null) failAsMalformed('has no semantic version in its field version');
  return { version, archives: archivesOf(value.archives ?? {}), keyChanges: keyChangesOf(value.key_changes ?? []) };
}

/**
 * Whether a version is newer than the running version. Older and equal versions are never offered.
 * choice/box/137
 */
export function isNewer(version: string, runningVersion: string): boolean {
  return gt(version, runningVersion);
}

/**
 * The key that has to sign a release. Starts with the trusted key and follows each change that the previous key
 * signed. Other changes are skipped, because a feed serves boxes with older and with newer keys.
 * choice/box/139
 */
export function presentKey(trusted: string, changes: readonly SignedText[], isSigned: IsSigned): string {
  let key = trusted;
  for (const { statement, signature } of changes) {
    if (isSigned(key, statement, signature)) key = nextKey(statement) ?? key;
  }
  return key;
}

/** The key that a statement names; `null` if the statement is not a key change. */
function nextKey(text: string): string | null {
  const found = parseJson(text);
  if (!isJsonObject(found) || found.type !== 'key' || found.product !== 'boxgate') return null;
  return typeof found.key === 'string' && found.key.length <= maxKeyLength ? found.key : null;
}

function archivesOf(archives: unknown): Record<string, ReleaseArchive> {
  if (!isJsonObject(archives) || !Object.values(archives).every(isArchive)) {
    failAsMalformed('has an archive without url, sha256 or signature');
  }
  return archives as Record<string, ReleaseArchive>;
}

function isArchive(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { statement = '', size = 0 } = value;
  return hasTexts(value, ['url', 'sha256', 'signature']) && typeof statement === 'string' && typeof size === 'number';
}

function keyChangesOf(changes: unknown): SignedText[] {
  const isChange = (value: unknown) => isJsonObject(value) && hasTexts(value, ['statement', 'signature']);
  if (!Array.isArray(changes) || !changes.every(isChange)) {
    failAsMalformed('has a change of its key without statement or signature');
  }
  if (changes.length > maxKeyChanges) {
    failAsMalformed(`names ${changes.length} changes of its key; at most ${maxKeyChanges} are followed`);
  }
  return changes;
}

function failAsMalformed(problem: string): never {
  fail(`the release feed ${problem}; its publisher has to make it again`);
}

function hasTexts(value: Record<string, unknown>, fields: readonly string[]): boolean {
  return fields.every((field) => typeof value[field] === 'string');
}
