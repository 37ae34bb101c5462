/** Where a registry has the image of a reference. */
export type RegistryImage = { host: string; repository: string; tag: string };

const hub = 'registry-1.docker.io';

/** `null` for a reference with a digest, which names one image for ever, and for a text that is no reference. */
export function registryImage(reference: string): RegistryImage | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,400}$/.test(reference)) return null;
  const slash = reference.indexOf('/');
  const first = slash === -1 ? '' : reference.slice(0, slash);
  const isHost = first.includes('.') || first.includes(':') || first === 'localhost';
  const host = isHost && !/^(?:index\.)?docker\.io$/.test(first) ? first : hub;
  const path = isHost ? reference.slice(slash + 1) : reference;
  const colon = path.lastIndexOf(':');
  const isTagged = colon > path.lastIndexOf('/');
  const name = isTagged ? path.slice(0, colon) : path;
  const tag = isTagged ? path.slice(colon + 1) : 'latest';
  const repository = host === hub && !name.includes('/') ? `library/${name}` : name;
  return /^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*$/.test(repository) && tag !== '' ? { host, repository, tag } : null;
}

/** The addresses to ask, in order: mirrors have only what Docker Hub has. */
export function addressesOf(
  { host }: RegistryImage,
  engine: { mirrors: readonly string[]; insecure: readonly string[] },
) {
  const scheme = isLoopback(host) || engine.insecure.includes(host) ? 'http' : 'https';
  const mirrors = host === hub ? engine.mirrors.map((mirror) => mirror.replace(/\/$/, '')) : [];
  return [...mirrors, `${scheme}://${host}`];
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3})(?::\d+)?$/.test(host);
}

/**
 * What a registry says about where an anonymous token is: the address to ask. `null` for any other sign-in. A registry
 * elsewhere gets no answer of a program on this machine: it would be sent to it as the token.
 */
export function tokenAddress(challenge: string, { host, repository }: RegistryImage): URL | null {
  const field = (name: string) => new RegExp(`(?:^|[ ,])${name}="([^"]{0,500})"`).exec(challenge)?.[1];
  const realm = field('realm');
  if (!/^bearer /i.test(challenge) || realm === undefined || !URL.canParse(realm)) return null;
  const url = new URL(realm);
  const isLocal = isLoopback(url.host) || url.hostname === '[::1]';
  if (isLocal ? !isLoopback(host) : url.protocol !== 'https:') return null;
  const service = field('service');
  if (service !== undefined) url.searchParams.set('service', service);
  url.searchParams.set('scope', `repository:${repository}:pull`);
  return url;
}
