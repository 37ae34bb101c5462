/** An image reference in the short form of Docker, without `docker.io/library/`. */
export type Reference = { name: string; tag: string; digest: string; familiar: string };

const component = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const domain = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d+)?$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^sha256:[0-9a-f]{64}$/;

export function parseReference(text: string): Reference | null {
  const at = text.indexOf('@');
  const digest = at < 0 ? '' : text.slice(at + 1);
  if (at >= 0 && !digestForm.test(digest)) return null;
  const rest = at < 0 ? text : text.slice(0, at);
  const colon = rest.indexOf(':', rest.lastIndexOf('/') + 1);
  const tag = colon < 0 ? '' : rest.slice(colon + 1);
  if (colon >= 0 && !tagForm.test(tag)) return null;
  const name = familiarName(colon < 0 ? rest : rest.slice(0, colon));
  if (name === null) return null;
  const shownTag = tag || (digest ? '' : 'latest');
  const familiar = digest ? `${name}@${digest}` : `${name}:${shownTag}`;
  return { name, tag: shownTag, digest, familiar };
}

function familiarName(name: string): string | null {
  const parts = name.split('/');
  const first = parts[0] ?? '';
  const hasDomain = parts.length > 1 && (/[.:]/.test(first) || first === 'localhost' || /[A-Z]/.test(first));
  const host = hasDomain ? first : '';
  if (host && !domain.test(host)) return null;
  const path = hasDomain ? parts.slice(1) : parts;
  if (path.length === 0 || !path.every((part) => component.test(part))) return null;
  const isHub = host === '' || host === 'docker.io' || host === 'index.docker.io';
  if (!isHub) return [host, ...path].join('/');
  return path[0] === 'library' && path.length === 2 ? (path[1] ?? null) : path.join('/');
}
