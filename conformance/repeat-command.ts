import type { ConformanceOptions } from './options.ts';

/** The command that repeats this run, without the selection of checks and without a password. */
export function repeatCommand(options: ConformanceOptions, seed: number): string {
  const {
    api,
    exec = '',
    strict,
    noLate,
    requirements,
    profile,
    browser,
    docker,
    systemd,
    tunnel,
    tunnelUsername,
    store,
    deviations,
    without = [],
  } = options;
  // An address with a password is in CONFORMANCE_STORE.
  const isSecret = store !== undefined && URL.canParse(store) && new URL(store).password !== '';
  const flags: [string, string | undefined][] = [
    ['--exec', exec],
    ['--profile', profile],
    ['--requirements', requirements],
    ['--browser', browser],
    ['--docker', docker],
    ['--systemd', systemd],
    ['--tunnel', tunnel],
    ['--tunnel-username', tunnelUsername],
    ['--store', isSecret ? undefined : store],
    ['--deviations', deviations],
    ...without.map((name): [string, string] => ['--without', name]),
    ['--seed', String(seed)],
  ];
  const words = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)]));
  const inherited = [...(isSecret ? ['CONFORMANCE_STORE'] : []), ...(tunnel ? ['CONFORMANCE_TUNNEL_PASSWORD'] : [])];
  const variables = inherited.map((name) => `${name}="$${name}"`);
  return [
    ...variables,
    'boxgate conformance',
    api,
    ...words,
    ...(strict ? ['--strict'] : []),
    ...(noLate ? ['--no-late'] : []),
  ].join(' ');
}

const shellWord = (word: string) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
