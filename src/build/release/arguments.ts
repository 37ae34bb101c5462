import { parseArgs } from 'node:util';
import { isChangelog } from '../../self-update/rules/update-state.ts';
import { ReleaseFailed } from './failure.ts';
import { type Platform, platforms } from './node-runtime.ts';

export const usage = `npm run release -- --key FILE [OPTION…]         build a release of the commit that is checked out
npm run release -- --public-key FILE [OPTION…]  build its archives again, to compare them; nothing is signed
npm run release -- renew --feed FILE --key FILE [OPTION…]
                                                sign the statements of a feed again

  --key FILE         private Ed25519 key that signs, as PEM (openssl genpkey -algorithm ed25519 -out FILE)
  --next-key FILE    private key that signs from now on; --key then only signs that it follows
  --expires DATE     until when the statements hold: 2027-05-19 or 2027-05-19T10:00:00Z (default: 180 days)
  --previous FILE    build: release.json of the release before; its key changes are taken over
  --changelog URL    build: page that describes the changes (https)
  --platform NAME    linux-x64 or linux-arm64; may be repeated (default: both)
  --out FOLDER       default: dist-release
`;

export type Keys = ReturnType<typeof keysOf>;
export type Task = ReturnType<typeof parseTask>;

const shared = {
  key: { type: 'string' },
  'next-key': { type: 'string' },
  expires: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const ofBuild = {
  previous: { type: 'string' },
  changelog: { type: 'string' },
  'public-key': { type: 'string' },
  platform: { type: 'string', multiple: true },
  out: { type: 'string' },
} as const;

const signs = ['key', 'next-key', 'expires', 'previous', 'changelog'] as const;

/** Parses the command line. Throws ReleaseFailed, or the error of Node's parser. */
export function parseTask(argv: readonly string[]) {
  return argv[0] === 'renew' ? parseRenew(argv.slice(1)) : parseBuild(argv);
}

function parseRenew(args: string[]) {
  const { values } = parseArgs({ args, options: { ...shared, feed: { type: 'string' } } });
  if (values.help) return { kind: 'help' as const };
  return { kind: 'renew' as const, feed: required(values.feed, 'feed'), ...keysOf(values) };
}

function parseBuild(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: { ...shared, ...ofBuild } });
  if (values.help) return { kind: 'help' as const };
  const { previous, changelog } = values;
  const archives = { platforms: platformsOf(values.platform), out: values.out ?? 'dist-release' };
  if (values['public-key'] !== undefined) {
    const extra = signs.find((name) => values[name] !== undefined);
    if (extra === undefined) return { kind: 'rebuild' as const, publicKey: values['public-key'], ...archives };
    throw new ReleaseFailed(`--public-key signs nothing, so --${extra} has no meaning beside it`);
  }
  if (changelog !== undefined && !isChangelog(changelog)) {
    throw new ReleaseFailed(
      `--changelog ${changelog}: expected an https address of ASCII characters, without a user name`,
    );
  }
  return { kind: 'build' as const, previous, changelog, ...archives, ...keysOf(values) };
}

function platformsOf(names: readonly string[] = platforms): Platform[] {
  const unknown = names.find((name) => !platforms.some((platform) => platform === name));
  if (unknown !== undefined) {
    throw new ReleaseFailed(`--platform ${unknown}: expected ${platforms.join(' or ')}`);
  }
  return platforms.filter((platform) => names.includes(platform));
}

function keysOf(values: { key?: string; 'next-key'?: string; expires?: string }) {
  const { expires } = values;
  return {
    key: required(values.key, 'key'),
    nextKey: values['next-key'],
    expires: expires === undefined ? undefined : dateOf(expires),
  };
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new ReleaseFailed(`--${name} FILE is missing (see --help)`);
  return value;
}

function dateOf(text: string): Date {
  const date = new Date(text);
  const isForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text);
  // JavaScript parses 31 February as 3 March.
  if (!isForm || Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text.slice(0, 10))) {
    throw new ReleaseFailed(`--expires ${text}: expected a date such as 2027-05-19 or 2027-05-19T10:00:00Z`);
  }
  return date;
}
