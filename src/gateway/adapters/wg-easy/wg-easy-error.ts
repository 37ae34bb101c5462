const setPassword =
  'set GATEWAY_TUNNEL_USERNAME in /etc/boxgate/gateway.env and the password in /etc/boxgate/tunnel-password ' +
  '(or GATEWAY_TUNNEL_PASSWORD) to those of a user of it';
const setAddress = 'GATEWAY_TUNNEL_URL in /etc/boxgate/gateway.env (or --tunnel-url)';
const checkAddress = `check that ${setAddress} is its address`;
const notSupported = `not a wg-easy of version 14, or 15.4 or newer ({found}): ${checkAddress}`;

/**
 * Why a request to wg-easy failed, with the phrase to follow `tunnel manager: `: what failed, what was found, and what to
 * do. The request had no effect, unless the comment says otherwise. choice/gateway/48
 */
const phrases = {
  // No connection.
  unreachable: `not reachable ({found}): check that it runs and that ${setAddress} is its address`,
  // No complete response in time. The request may have taken effect, or may still do so.
  timeout: 'not answering ({found}): check that it is well, and try again',
  // The connection broke before the response was complete; the effect is unknown, as after `timeout`.
  lost: 'the connection to it was lost ({found}): try again',
  // It is not followed, because a session belongs to one address.
  redirect: `not at this address ({found}): set ${setAddress} to where it leads`,
  // The response to the probe matches no known version.
  notWgEasy: notSupported,
  tooOld: 'wg-easy is older than 15.4 ({found}): update wg-easy to 15.4 or newer',
  // A response that no known version sends. The request may have taken effect.
  unexpected: `unexpected response ({found}): ${checkAddress}, and that no proxy answers for it`,
  // The configuration of a peer is of no use for a box; the message says what to correct.
  unusable: '{found}',
  wrongPassword: `wrong password, or no user of that name: ${setPassword}`,
  shortPassword: `wrong password: it takes none that is so short; ${setPassword}`,
  twoFactor: 'two-factor login is on for its user: turn it off there, or set another user',
  loginOff: 'it lets nobody log in with this user and a password ({found}): allow it there',
  // 500 to a login: version 15 refuses logins and changes for a while after two simultaneous logins.
  locked:
    'locked: it refuses every login with 500, as it does for a minute or two after two came at once; try again then',
  sessionLost: 'it does not keep the session ({found}): check that nothing between drops its cookie, and try again',
  // The path does not exist: another version of wg-easy runs now.
  wrongPath: notSupported,
  unknownClient: 'the peer was removed there meanwhile ({found}): try again',
  // 500: the request had its effect, none, or a part of it. The manager has finished it.
  serverError: 'its own fault ({found}): see its log',
  // Any other 5xx, as proxies send them. The request may have taken effect, or may still do so.
  unavailable: 'not available ({found}): check that it runs, and try again',
  // Any other 4xx.
  refused: 'it refused ({found}): see its log',
};

export type WgEasyFault = keyof typeof phrases;

/** The message says what was found, and contains no secret. */
export class WgEasyError extends Error {
  override readonly name = 'WgEasyError';
  readonly fault: WgEasyFault;

  constructor(fault: WgEasyFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }

  get phrase(): string {
    return phrases[this.fault].replace('{found}', () => this.message);
  }
}
