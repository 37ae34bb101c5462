/**
 * Why the owner's variables are no credentials of a provider; `null` if they are. A variable that lego does not list could
 * lead lego to another program or authority, and one that names a file to any file of the machine.
 * @param names - of the variables that the owner typed
 * @param help - the answer of `lego dnshelp --code PROVIDER`
 */
export function credentialsProblem(provider: string, names: readonly string[], help: string): string | null {
  const [own = ''] = help.split(/^Additional Configuration:$/m);
  const needed = namesIn(own).join(', ');
  const known = new Set(namesIn(help));
  if (known.size === 0) return `the credentials of ${provider} are files of the box: use the command (--dns-variables)`;
  if (names.length === 0) return `the credentials of ${provider} are missing, as lines NAME=value: ${needed}`;
  const odd = names.find((name) => !known.has(name));
  return odd === undefined ? null : `${odd} is no credential of ${provider}, which takes ${needed}`;
}

/** Those that lego lists, but for names of files. */
function namesIn(help: string): string[] {
  const listed = help.split('\n').flatMap((line) => /^ {2}- "([A-Z][A-Z0-9_]{0,99})":/.exec(line)?.[1] ?? []);
  return listed.filter((name) => !/_(?:FILE|PATH)$/.test(name));
}
