/** Why a request to wg-easy failed. The message of the error says what was found, and contains no secret. */
export type WgEasyFault =
  /** No connection, so there was no effect. */
  | 'unreachable'
  /** No complete response in time. The request may have taken effect, or may still do so. */
  | 'timeout'
  /** The connection broke before the response was complete; the effect is unknown, as after `timeout`. */
  | 'lost'
  /** A redirection. It is not followed, because a session belongs to one address. */
  | 'redirect'
  /** The response to the probe matches no known version. */
  | 'notWgEasy'
  /** A version 15 before 15.4. */
  | 'tooOld'
  /** A response that no known version sends. The request may have taken effect. */
  | 'unexpected'
  /** The configuration of a peer is of no use for a box; the message says what to correct. */
  | 'unusable'
  | 'wrongPassword'
  | 'shortPassword'
  | 'twoFactor'
  | 'loginOff'
  /** 500 to a login: version 15 refuses logins and changes for a while after two simultaneous logins. */
  | 'locked'
  /** The session has expired, so there was no effect. */
  | 'sessionLost'
  /** The path does not exist: another version of wg-easy runs now. */
  | 'wrongPath'
  | 'unknownClient'
  /** 500: the request had its effect, none, or a part of it. The manager has finished it. */
  | 'serverError'
  /** Any other 5xx, as proxies send them. The request may have taken effect, or may still do so. */
  | 'unavailable'
  /** Any other 4xx. There was no effect. */
  | 'refused';

export class WgEasyError extends Error {
  override readonly name = 'WgEasyError';
  readonly fault: WgEasyFault;

  constructor(fault: WgEasyFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
