import { shownName } from '../../lib/shown-text.ts';

export type Service = 'box' | 'gateway';

const settingsOf = (service: Service) => ({
  feed: `${service.toUpperCase()}_RELEASE_FEED in /etc/boxgate/${service}.env`,
  key: `${service.toUpperCase()}_RELEASE_KEY in /etc/boxgate/${service}.env`,
  unit: `${service.toUpperCase()}_UNIT in /etc/boxgate/${service}.env`,
  folder: `${service.toUpperCase()}_SOFTWARE_DIR in /etc/boxgate/${service}.env`,
});

/** Why an update or the check for one failed, as a sentence for the owner: one row a reason. */
export const reasons = {
  noFeed: ({ service }: { service: Service }) =>
    `no release feed is configured; set ${settingsOf(service).feed} (or --release-feed)`,
  feedUnreadable: ({ address, problem }: { address: string; problem: string }) =>
    `the release feed ${address} cannot be read: ${problem}`,
  feedNoFile: ({ address }: { address: string }) =>
    `the release feed ${address} is not a file; it has to be the address of release.json`,
  feedTooLarge: ({ address, bytes }: { address: string; bytes: number }) =>
    `the release feed ${address} has more than ${bytes} bytes`,
  feedTooSlow: ({ address, seconds }: { address: string; seconds: number }) =>
    `the release feed ${address} cannot be read: it was not complete after ${seconds} seconds`,
  feedElsewhere: ({ address, target }: { address: string; target: string }) =>
    `the release feed ${address} leads to ${target}, which is not HTTPS`,
  feedStatus: ({ address, status }: { address: string; status: number }) =>
    `the release feed ${address} answers with status ${status}`,
  feedMalformed: ({ problem }: { problem: string }) =>
    `the release feed ${problem}; its publisher has to make it again`,
  unsigned: ({ address, version, platform }: { address: string; version: string; platform: string }) =>
    `the release feed ${address} has no signed statement on version ${version} for ${platform}, ` +
    'so nothing vouches for it; only a feed on this machine may be unsigned',
  keyUnreadable: ({ path, problem }: { path: string; problem: string }) =>
    `the key that signs releases, ${path}, cannot be read: ${problem}`,
  keyMalformed: ({ path, service }: { path: string; service: Service }) =>
    `${path} is not an Ed25519 public key in PEM form; it is the key that signs releases, ${settingsOf(service).key}`,
  badSignature: ({ version, platform }: { version: string; platform: string }) =>
    `version ${version} for ${platform} is not signed by the key that is trusted here; ` +
    'the feed may be forged, or belong to another publisher: compare the key with that of the publisher',
  statementMalformed: ({ version, problem }: { version: string; problem: string }) =>
    `the signed statement on version ${version} ${problem}`,
  foreignRelease: ({ field, found, wanted }: { field: string; found: string; wanted: string }) =>
    `the signed statement in the release feed has the ${field} "${found}" instead of "${wanted}": ` +
    'it belongs to another release',
  mixedRelease: ({ version, field }: { version: string; field: string }) =>
    `the release feed and its signed statement on version ${version} differ in ${field}; ` +
    'its publisher has to make the feed again',
  expired: ({ version, expired, now }: { version: string; expired: Date; now: Date }) =>
    `the news about version ${version} expired on ${dateOf(expired)} and it is ${dateOf(now)} on this machine: either it ` +
    'is cut off from newer news, or its clock is wrong; look at the clock (timedatectl), then at the release feed',
  clock: ({ version, issued, now }: { version: string; issued: Date; now: Date }) =>
    `version ${version} was signed on ${dateOf(issued)}, but it is ${dateOf(now)} on this machine: its clock is wrong; ` +
    'set it (timedatectl) and try again',
  archiveAddress: ({ address, target }: { address: string; target: string }) =>
    `the release feed ${address} names an archive at ${target}; it has to be at an HTTPS address` +
    (address.startsWith('file:') ? ', or in a file or on a web server of this machine' : ''),
  archiveUnreadable: ({ url, problem }: { url: string; problem: string }) =>
    `the archive ${url} cannot be read: ${problem}`,
  archiveNoFile: ({ url }: { url: string }) =>
    `the archive ${url} is not a file; its publisher has to correct the release feed`,
  archiveStatus: ({ url, status }: { url: string; status: number }) =>
    `the archive ${url} cannot be read: the server answers with status ${status}`,
  archiveElsewhere: ({ url, target }: { url: string; target: string }) =>
    `the archive ${url} leads to ${target}, which is not HTTPS`,
  archiveStalled: ({ url, seconds }: { url: string; seconds: number }) =>
    `the archive ${url} stopped coming: there was nothing for ${seconds} seconds; try again later`,
  archiveTooSlow: ({ url, minutes }: { url: string; minutes: number }) =>
    `the archive ${url} was not complete after ${minutes} minutes; try again over a faster connection`,
  archiveCutOff: ({ url, bytes, size }: { url: string; bytes: number; size: number }) =>
    `the archive ${url} is cut off: it ended after ${bytes} of ${size} bytes; try again later`,
  archiveTooLarge: ({ url, size }: { url: string; size: number }) =>
    `the archive ${url} is longer than the ${size} bytes that its publisher has signed; nothing vouches for it`,
  archiveDamaged: ({ problem }: { problem: string }) => `the archive cannot be unpacked: ${problem}`,
  archiveEntry: ({ name, problem }: { name: string; problem: string }) =>
    `"${name.slice(0, 200)}" in the archive ${problem}; it has to be a file or folder below one top folder, so nothing was installed`,
  archiveCrowded: ({ entries }: { entries: number }) =>
    `the archive holds more than ${entries} files and folders, so nothing was installed`,
  archiveUnpackedSize: ({ bytes }: { bytes: number }) =>
    `the archive's files have more than the ${bytes} bytes that its publisher has signed, so nothing was installed`,
  storage: ({ problem }: { problem: string }) => problem,
  unsignedArchive: ({ version, platform }: { version: string; platform: string }) =>
    `version ${version} is announced without a signed statement for ${platform}, so nothing vouches for it and it is ` +
    'not installed; a feed made by npm run release has one',
  notInstalled: ({ version, folder, service }: { version: string; folder: string; service: Service }) =>
    `${folder}/current is not a link to version ${version}, which runs: this ${service} was not installed by install.sh; ` +
    'update a container or a checkout the way it was installed, or install boxgate from its archive',
  otherCurrent: (of: { version: string; current: string; folder: string; service: Service }) =>
    `${of.folder}/current leads to version ${of.current}, but version ${of.version} runs; ` +
    `restart the ${of.service} (systemctl restart boxgate-${of.service}) and try again`,
  noUnit: ({ service }: { service: Service }) =>
    `the ${service} does not run as a service of systemd, so an update cannot restart it; ` +
    `name its unit in ${settingsOf(service).unit} (or --unit)`,
  unitNotActive: ({ unit, state }: { unit: string; state: string }) =>
    `the unit ${unit}, which an update has to restart, is ${state} instead of active; systemctl status ${unit} says more`,
  otherUnit: ({ unit, folder, service }: { unit: string; folder: string; service: Service }) =>
    `the unit ${unit} does not start ${folder}/current, so it would not start a new version; ` +
    `compare ExecStart= of the unit with ${settingsOf(service).folder}`,
  diskFull: ({ folder, needed, free }: { folder: string; needed: string; free: string }) =>
    `the update needs ${needed} of free space in ${folder}, which has ${free}; make room and try again`,
  wrongDigest: ({ version }: { version: string }) =>
    `the archive of version ${version} is not the one that was signed: its SHA-256 differs; ` +
    'it was damaged on its way, or replaced; try again, and ask its publisher if it happens again',
  otherContents: ({ version, found }: { version: string; found: string }) =>
    `the archive of version ${version} holds something else: ${found}; its publisher has to correct the release`,
  doesNotRun: ({ version, problem }: { version: string; problem: string }) =>
    `version ${version} does not run on this machine: ${problem}`,
  changeInProgress: ({ minutes }: { minutes: number }) =>
    `the change of an app has been in progress for ${minutes} minutes; try again when it has finished`,
  notStarted: ({ unit, problem }: { unit: string; problem: string }) =>
    `the unit ${unit} did not start: ${problem}; journalctl -u ${unit} says why`,
  stopped: ({ signal }: { signal: string }) => `the update was stopped by a signal (${signal}); start it again`,
  unhealthy: ({ version, problem, unit }: { version: string; problem: string; unit: string }) =>
    `version ${version} ${problem}; journalctl -u ${unit} says more`,
  storeMigration: ({ from, to }: { from: number; to: number }) =>
    `the new version migrates the store of the gateway, from schema ${from} to ${to}. A store in a file is copied ` +
    'before, and the copy comes back if the update is rolled back. A database of PostgreSQL does not come back: make a ' +
    'backup of it first (pg_dump). Then run: boxgate gateway update apply --migrate-store',
};

export type ReasonCode = keyof typeof reasons;
export type ReasonDetails<Code extends ReasonCode> = Parameters<(typeof reasons)[Code]>[0];

/** A reason can quote foreign text of any length, but the update's state has a size limit. */
const maxReasonLength = 1000;

/** An update or a check that failed; its message is a sentence for the owner. */
export class UpdateFailed extends Error {
  override readonly name = 'UpdateFailed';
  readonly code: ReasonCode;

  constructor(code: ReasonCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** Throws UpdateFailed with the sentence of a reason: one line, at most 1000 characters. */
export function fail<Code extends ReasonCode>(code: Code, details: ReasonDetails<Code>, cause?: unknown): never {
  throw failure(code, details, cause);
}

/** Like `fail`, but returns the error, for streams and promises that end with an error. */
export function failure<Code extends ReasonCode>(
  code: Code,
  details: ReasonDetails<Code>,
  cause?: unknown,
): UpdateFailed {
  const sentence = reasons[code] as (details: ReasonDetails<Code>) => string;
  const text = shownName(sentence(details));
  const shown = text.length > maxReasonLength ? `${text.slice(0, maxReasonLength - 1)}…` : text;
  return new UpdateFailed(code, shown, cause);
}

const dateOf = (date: Date) => date.toISOString().slice(0, 10);
