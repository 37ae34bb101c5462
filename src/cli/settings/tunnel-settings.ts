import { gatewayUrl, loginName, networks, openPaths } from '../../box/addresses/rules/given-values.ts';
import { boxSettings } from './box-settings.ts';
import { httpAddress, isOn, matching, text, wholeNumber } from './parsers.ts';
import { listRow, required, row, said, secretRow } from './setting.ts';

const needed = required(({ flag, variable }) => `${flag} (${variable}) is required`);
const neededToken = required(({ variable }) => `${variable} or ${variable}_FILE is required`);
const boxName = matching(/^.{1,128}$/s, 'a name of 1 to 128 characters');

// biome-ignore format: a setting is a row
export const tunnelSettings = {
  stateDir: { ...boxSettings.stateDir, help: 'where the tunnel is kept: the state directory of the box' },
  json: row('--json', 'BOX_TUNNEL_JSON', isOn, false, 'print the result as JSON'),
};

// biome-ignore format: a setting is a row
export const joinSettings = {
  registrationToken: secretRow('BOX_REGISTRATION_TOKEN', text, neededToken,
    "the token that the gateway's operator gives out; it is required"),
  gateway: row('--gateway URL', 'BOX_GATEWAY_URL', gatewayUrl, needed, 'the address of the gateway'),
  boxName: row('--name NAME', 'BOX_NAME', boxName, needed, 'what the box is called there, for people'),
  ...tunnelSettings,
};

/** The access rules of a publication; `null` leaves those that there are. */
// biome-ignore format: a setting is a row
const accessSettings = {
  login: row('--login NAME', 'BOX_ROUTE_LOGIN', loginName, said('none, or the one that there is', () => null),
    'ask visitors for a login of this name; its password is made and shown once, and is a new one at each use'),
  allow: listRow('--allow NETWORKS', 'BOX_ROUTE_ALLOW', networks, said('all, or those that there are', () => null),
    'let visitors come only from these addresses and networks, with commas'),
  openPaths: listRow('--open-path PATH', 'BOX_ROUTE_OPEN_PATHS', openPaths,
    said('none, or those that there are', () => null),
    "a path without login, for the app's own clients; /api/* is everything below /api/"),
};

// biome-ignore format: a setting is a row
export const publishSettings = {
  subdomain: row('--subdomain NAME', 'BOX_ROUTE_SUBDOMAIN', text, needed, 'the first label of the public host name'),
  port: row('--port N', 'BOX_ROUTE_PORT', wholeNumber(1, 65535), said('the one that it publishes now', () => null),
    'the port of the app on this box'),
  ...accessSettings,
  proxy: row('--proxy URL', 'BOX_GATEWAY_PROXY', httpAddress, said('the published address', () => null),
    "where to ask the gateway's proxy whether it serves the host"),
  installedApps: boxSettings.installedApps,
  ...tunnelSettings,
};
