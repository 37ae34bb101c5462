import valid from 'semver/functions/valid.js';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { Release, ReleaseArchive } from './release.ts';
import { fail } from './update-failed.ts';
import { isChangelog, isDateTime } from './update-state.ts';

/** The facts that a publisher signs about one archive. Sizes are bytes. */
export type Statement = {
  version: string;
  sha256: string;
  size: number;
  /** The sizes of all files in the archive together. */
  unpackedSize: number;
  issued: Date;
  expires: Date;
  changelog: string | null;
  storeSchema: number;
};

type Announcement = { release: Release; platform: string; entry: ReleaseArchive; now: Date };

const product = 'boxgate';
const maxBytes = 2 * 1024 ** 3;
const maxStoreSchema = 1_000_000;
const maxAddressLength = 2000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Parses a statement whose signature is valid. Verifies that it is for this release and platform and still valid.
 * Throws UpdateFailed.
 * choice/box/139, choice/box/137
 */
export function judgeStatement(text: string, announcement: Announcement): Statement {
  const { release, platform, entry, now } = announcement;
  const { version } = release;
  const found = parseJson(text);
  if (!isJsonObject(found)) failAsMalformed(version, 'is not a JSON object');
  const wanted = { type: 'release', product, platform };
  for (const [field, value] of Object.entries(wanted)) {
    const given: unknown = found[field];
    if (given === value) continue;
    const shown = typeof given === 'string' ? given : `${JSON.stringify(given)}`;
    fail(
      `the signed statement in the release feed has the ${field} "${shown}" instead of "${value}": ` +
        'it belongs to another release',
    );
  }
  const statement = statementOf(found, version);
  const agrees = {
    version: statement.version === version,
    sha256: statement.sha256 === entry.sha256,
    size: statement.size === (entry.size ?? statement.size),
  };
  for (const [field, isEqual] of Object.entries(agrees)) {
    if (isEqual) continue;
    fail(
      `the release feed and its signed statement on version ${version} differ in ${field}; ` +
        'its publisher has to make the feed again',
    );
  }
  const { issued, expires } = statement;
  if (now.getTime() < issued.getTime() - dayMs) {
    fail(
      `version ${version} was signed on ${dayOf(issued)}, but it is ${dayOf(now)} on this machine: its clock is ` +
        'wrong; set it (timedatectl) and try again',
    );
  }
  if (now > expires) {
    fail(
      `the news about version ${version} expired on ${dayOf(expires)} and it is ${dayOf(now)} on this machine: ` +
        'either it is cut off from newer news, or its clock is wrong; look at the clock (timedatectl), then at the ' +
        'release feed',
    );
  }
  return statement;
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

function failAsMalformed(version: string, problem: string): never {
  fail(`the signed statement on version ${version} ${problem}`);
}

type Form = (value: unknown) => boolean;

const isSize: Form = (value) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= maxBytes;
const forms: Record<string, Form> = {
  version: (value) => typeof value === 'string' && valid(value) !== null,
  sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  size: isSize,
  unpacked_size: isSize,
  issued: isDateTime,
  expires: isDateTime,
  changelog: (value) => value === undefined || isPageAddress(value),
  store_schema: (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maxStoreSchema,
};

function statementOf(found: Record<string, unknown>, announced: string): Statement {
  for (const [field, hasForm] of Object.entries(forms)) {
    if (!hasForm(found[field])) failAsMalformed(announced, `has no usable field ${field}`);
  }
  return {
    version: String(valid(String(found.version))),
    sha256: String(found.sha256),
    size: Number(found.size),
    unpackedSize: Number(found.unpacked_size),
    issued: new Date(String(found.issued)),
    expires: new Date(String(found.expires)),
    changelog: (found.changelog as string | undefined) ?? null,
    storeSchema: Number(found.store_schema),
  };
}

/** Whether a value can be copied into the update's state. With any other value, that state would count as damaged. */
function isPageAddress(value: unknown): boolean {
  return typeof value === 'string' && value.length <= maxAddressLength && isChangelog(value);
}
