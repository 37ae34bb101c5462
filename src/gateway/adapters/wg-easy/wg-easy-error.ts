/**
 * What went wrong between us and wg-easy. A caller acts on the kind; the message says in its own words what was
 * found, and holds no password, cookie or key.
 */
export type WgEasyFault =
  /** No connection: nothing was carried out. */
  | 'unreachable'
  /** No whole answer in time: it may have been carried out, or be yet. */
  | 'timeout'
  /** The connection broke before the answer was whole: as above. */
  | 'lost'
  /** It leads elsewhere, which is not followed: a session is for one address. */
  | 'redirect'
  /** The probe's answer is that of no known version. */
  | 'notWgEasy'
  /** An answer that no known version gives: it may have been carried out. */
  | 'unexpected'
  | 'wrongPassword'
  | 'shortPassword'
  | 'twoFactor'
  | 'loginOff'
  /** A login was answered with 500: version 15 refuses logins and changes for a while after two at once. */
  | 'locked'
  /** The session is none any more: nothing was carried out. */
  | 'sessionLost'
  /** The path is not there: the manager speaks another dialect by now. */
  | 'wrongPath'
  | 'unknownClient'
  /** 500: carried out, not, or by half; nothing more will happen. */
  | 'serverError'
  /** Any other 5xx, as proxies give them: it may have been carried out, or be yet. */
  | 'unavailable'
  /** Any other 4xx: not carried out. */
  | 'refused';

export class WgEasyError extends Error {
  override readonly name = 'WgEasyError';
  readonly fault: WgEasyFault;

  constructor(fault: WgEasyFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
