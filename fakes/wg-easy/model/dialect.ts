/** The four ways in which wg-easy speaks, by the oldest release of each that was recorded. */
export type Dialect = '14' | '15.1' | '15.3' | '15.4';

export const dialects: readonly Dialect[] = ['14', '15.1', '15.3', '15.4'];

/** What tells the releases of version 15 apart. */
export type Traits = {
  release: string;
  loginPath: string;
  /** 15.4: the code of a two-factor login goes to a second endpoint, and Basic is refused while that is on. */
  twoStepLogin: boolean;
  /** A wrong login hands out a session, although nobody is logged in. */
  cookieOnWrongLogin: boolean;
  /** `GET /api/session` with no login: 204 or 401. */
  silentSession: boolean;
  /** The validator: an older one has other words. */
  olderWords: boolean;
  /** Names with control characters are refused; otherwise they get into the configuration file as they are. */
  refusesControls: boolean;
  createSaysId: boolean;
  listHasSecrets: boolean;
  filters: boolean;
  sorts: boolean;
  /** Firewall and obfuscation members of a client, and the live interface asked for a single one. */
  obfuscation: boolean;
  /** Masks of the interface in a configuration, `DNS` before `MTU`, and plain text. */
  olderConfiguration: boolean;
  /** Where the colour-mode module of the user interface puts its cookie in a "page not found". */
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
