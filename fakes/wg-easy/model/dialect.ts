/** The four API variants of wg-easy, by the oldest recorded release of each. */
export type Dialect = '14' | '15.1' | '15.3' | '15.4';

export const dialects: readonly Dialect[] = ['14', '15.1', '15.3', '15.4'];

/** The differences between the releases of version 15. */
export type Traits = {
  release: string;
  loginPath: string;
  /** 15.4: a second endpoint takes the two-factor code, and Basic is rejected while two-factor login is on. */
  twoStepLogin: boolean;
  /** A failed login sets an unauthenticated session cookie. */
  cookieOnWrongLogin: boolean;
  /** `GET /api/session` without login: 204 if true, else 401. */
  silentSession: boolean;
  /** The validator has the older messages. */
  olderWords: boolean;
  /** Rejects names with control characters; otherwise they reach the configuration file. */
  refusesControls: boolean;
  createSaysId: boolean;
  listHasSecrets: boolean;
  filters: boolean;
  sorts: boolean;
  /** Clients have firewall and obfuscation members, and reading one client needs the interface. */
  obfuscation: boolean;
  /** Older configuration: interface masks, `DNS` before `MTU`, plain text. */
  olderConfiguration: boolean;
  /** Where a "page not found" sets the theme cookie. */
  themeCookie: 'none' | 'first' | 'last';
};

const newer: Traits = {
  release: 'v15.4.0',
  loginPath: '/api/auth/password',
  twoStepLogin: true,
  cookieOnWrongLogin: true,
  silentSession: false,
  olderWords: false,
  refusesControls: true,
  createSaysId: true,
  listHasSecrets: false,
  filters: true,
  sorts: true,
  obfuscation: true,
  olderConfiguration: false,
  themeCookie: 'none',
};

const middle: Traits = {
  ...newer,
  release: 'v15.3.0',
  loginPath: '/api/session',
  twoStepLogin: false,
  cookieOnWrongLogin: false,
  refusesControls: false,
  sorts: false,
  themeCookie: 'first',
};

export const traitsOf: Record<Exclude<Dialect, '14'>, Traits> = {
  '15.1': {
    ...middle,
    release: 'v15.1.0',
    silentSession: true,
    olderWords: true,
    createSaysId: false,
    listHasSecrets: true,
    filters: false,
    obfuscation: false,
    olderConfiguration: true,
    themeCookie: 'last',
  },
  '15.3': middle,
  '15.4': newer,
};
