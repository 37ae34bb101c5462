import type { WgEasyError, WgEasyFault } from './wg-easy-error.ts';

const setPassword =
  'set GATEWAY_TUNNEL_USERNAME in /etc/boxgate/gateway.env and the password in /etc/boxgate/tunnel-password ' +
  '(or GATEWAY_TUNNEL_PASSWORD) to those of a user of it';
const setAddress = 'GATEWAY_TUNNEL_URL in /etc/boxgate/gateway.env (or --tunnel-url)';
const checkAddress = `check that ${setAddress} is its address`;

/** A phrase to follow `tunnel manager: `: what failed, what was found, and what to do. choice/gateway/48 */
export function phraseOf({ fault, message }: WgEasyError): string {
  return phrases[fault](message);
}

const phrases: Record<WgEasyFault, (found: string) => string> = {
  unreachable: (found) => `not reachable (${found}): check that it runs and that ${setAddress} is its address`,
  timeout: (found) => `not answering (${found}): check that it is well, and try again`,
  lost: (found) => `the connection to it was lost (${found}): try again`,
  redirect: (found) => `not at this address (${found}): set ${setAddress} to where it leads`,
  notWgEasy: (found) => `not a wg-easy of version 14, or 15.4 or newer (${found}): ${checkAddress}`,
  tooOld: (found) => `wg-easy is older than 15.4 (${found}): update wg-easy to 15.4 or newer`,
  unexpected: (found) => `unexpected response (${found}): ${checkAddress}, and that no proxy answers for it`,
  unusable: (found) => found,
  wrongPassword: () => `wrong password, or no user of that name: ${setPassword}`,
  shortPassword: () => `wrong password: it takes none that is so short; ${setPassword}`,
  twoFactor: () => 'two-factor login is on for its user: turn it off there, or set another user',
  loginOff: (found) => `it lets nobody log in with this user and a password (${found}): allow it there`,
  locked: () =>
    'locked: it refuses every login with 500, as it does for a minute or two after two came at once; try again then',
  sessionLost: (found) =>
    `it does not keep the session (${found}): check that nothing between drops its cookie, and try again`,
  wrongPath: (found) => `not a wg-easy of version 14, or 15.4 or newer (${found}): ${checkAddress}`,
  unknownClient: (found) => `the peer was removed there meanwhile (${found}): try again`,
  serverError: (found) => `its own fault (${found}): see its log`,
  unavailable: (found) => `not available (${found}): check that it runs, and try again`,
  refused: (found) => `it refused (${found}): see its log`,
};

/** The default address pool: `.2` to `.254` of a /24. */
const usualPoolSize = 253;

/**
 * The likely reason for a 500 to a create; no version of wg-easy gives one. `peers` is the number of other peers,
 * `wasStored` whether the manager listed the new one.
 */
export function createRefusal(found: { wasStored: boolean; peers: number; is14: boolean }): string {
  if (found.wasStored) {
    return 'it stored the peer but failed to bring it up (500), so the peer was removed again: see its log';
  }
  if (found.peers >= usualPoolSize) {
    return `pool full: its ${found.peers} peers have all the addresses; remove there what nobody uses`;
  }
  if (found.is14) return `it refused to make a peer (500, it has ${found.peers}): see its log`;
  return (
    'locked: it refuses changes with 500, as it does for a minute or two after two logins at once; ' +
    `try again then, or see whether its ${found.peers} peers have all the addresses`
  );
}
