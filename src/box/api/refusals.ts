import { type Fill, makeRefusal } from '../../lib/refusal.ts';

export { Refusal } from '../../lib/refusal.ts';

/**
 * Every refusal of the box: name -> status and text. The fixed texts are the named examples of spec/box.openapi.yaml
 * under the same names. The caller gives a value for each `{…}`. box/errors/1-10
 */
export const refusals = {
  malformedRequest: { status: 400, text: 'malformed HTTP request: {reason}' },
  foreignHost: {
    status: 421,
    text: 'the host {host} is not this box; if it is, add {host} to BOX_ALLOWED_HOSTS in /etc/boxgate/box.env (or --allowed-host {host})',
  },
  tunnelHost: {
    status: 421,
    text: "{host} is this box's address in the gateway's tunnel; use an address of the box's own network",
  },
  crossSite: { status: 403, text: 'the request comes from a page of another site' },
  bodyTooLarge: { status: 413, text: 'the body has more than 1 MiB' },
  invalidJson: { status: 400, text: 'invalid JSON body' },
  bodyNotObject: { status: 400, text: 'body must be a JSON object' },
  invalidAppName: { status: 400, text: 'invalid app name' },
  nameMissing: { status: 400, text: "missing or empty 'name' field" },
  settingsMissing: { status: 400, text: "missing or invalid 'settings' object" },
  settingsNotObject: { status: 400, text: "'settings' must be an object" },
  notFound: { status: 404, text: 'not found' },
  methodNotAllowed: { status: 405, text: 'method not allowed' },
  appNotFound: { status: 404, text: 'there is no app {app}' },
  appNotInstalled: { status: 404, text: 'the app {app} is not installed' },
  appIsLink: { status: 404, text: 'the app {app} is not installed: {path} is a link, and links are not followed' },
  unreadableManifest: {
    status: 404,
    text: 'the app {app} is {place}, but its manifest cannot be read: {reason}; mend {file}',
  },
  unknownApp: { status: 400, text: 'there is no app {app} to install' },
  placeholderLeft: {
    status: 400,
    text: 'placeholder values left in {file}: {keys}; set them there or in the settings',
  },
  upgradeNeedsValues: {
    status: 400,
    text: 'version {version} of {app} needs values of your own for {keys}: set them in {file} and update again',
  },
  placeholderSubmitted: { status: 400, text: 'placeholder values submitted for {keys}; enter the real ones' },
  projectTaken: {
    status: 400,
    text: 'the app {app} would have the same Compose project as the app {owner}; remove {owner} first',
  },
  portInvalid: { status: 400, text: '{where}: {value} is not a port; use a number from 1 to 65535' },
  portHeld: { status: 400, text: '{where}: port {port} is in use by {holder}; choose another one' },
  invalidValues: { status: 400, text: '{reason}' },
  brokenManifest: {
    status: 400,
    text: 'the app {app} is {place}, but its manifest cannot be read: {reason}; mend {file}',
  },
  linkInPlace: { status: 400, text: 'the app {app} cannot be installed: {path} is a link; remove it first' },
  deleteFailed: { status: 500, text: 'the app {app} could not be deleted: {reason}' },
  brokenEnv: { status: 400, text: '{reason}' },
  tooManyChanges: { status: 503, text: 'too many changes are waiting; try again later' },
  storageFailed: { status: 500, text: '{reason}' },
  containerToolFailed: { status: 502, text: '{reason}' },
  backupFailed: { status: 502, text: '{app} was not updated, because there is no backup of its data: {reason}' },
  updateCheckFailed: { status: 502, text: 'the update check failed: {reason}' },
  noReleaseFeed: {
    status: 502,
    text: 'no release feed is configured; set BOX_RELEASE_FEED in /etc/boxgate/box.env (or --release-feed)',
  },
  updateStartFailed: { status: 502, text: 'the update could not be started: {reason}' },
  updateRunning: { status: 409, text: 'an update is already running' },
  internalError: { status: 500, text: 'internal error ({id})' },
} as const satisfies Record<string, { status: number; text: string }>;

/** The refusals that only the console and the commands make. They are in no document. */
const consoleRefusals = {
  invalidAct: { status: 400, text: 'missing or invalid action, or a field of it' },
  invalidAppUpdates: { status: 400, text: 'expected the days as a number from 0 to 365, such as 3 or 1.5' },
  removedAppGone: { status: 404, text: 'this removed app is no longer kept' },
  invalidAddressRequest: { status: 400, text: 'missing or invalid field of a request about public addresses' },
  tunnelFailed: { status: 502, text: '{reason}' },
  httpsRefused: { status: 400, text: '{reason}; nothing was changed' },
  workUnderway: { status: 409, text: '{doing} is under way: wait until it has ended' },
  backupsFailed: { status: 502, text: '{reason}' },
  storeUnreadable: { status: 502, text: 'the store {store} cannot be read: {reason}' },
  invalidBackupKey: {
    status: 400,
    text: 'expected the key of the backups: one line, as the box that made them shows it under Backups',
  },
  backupFileGone: { status: 404, text: 'there is no such file in a backup; open the list of backups again' },
  tooManyStreams: { status: 503, text: 'too many logs or downloads are open at once; close some of these pages' },
  removedAppReplaced: { status: 409, text: 'an app {app} is installed: remove it, then restore the earlier one' },
} as const satisfies Record<string, { status: number; text: string }>;

const everyRefusal = { ...refusals, ...consoleRefusals };

export type RefusalName = keyof typeof everyRefusal;

export function refusalOf(refusal: RefusalName, fill: Fill = {}) {
  return makeRefusal(everyRefusal, refusal, fill);
}

export function refuse(refusal: RefusalName, fill: Fill = {}): never {
  throw refusalOf(refusal, fill);
}
