import { required } from '../required.ts';

/** Where the registry of this run listens, as `HOST:PORT`; images are named below it. */
export const registry = required('BOXGATE_REGISTRY');

const manifestTypes = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

/** A tag that no engine has pulled yet, also if tests run again on the same engine. */
export function newTag(name: string): string {
  return `${name}-${Date.now().toString(36)}`;
}

/**
 * Points a tag of the repository `web` to the image of another tag, in the registry only: engines notice when they
 * pull.
 */
export async function moveTag(tag: string, to: string): Promise<void> {
  const found = await fetch(`http://${registry}/v2/web/manifests/${to}`, { headers: { accept: manifestTypes } });
  if (!found.ok) throw new Error(`no web:${to} in the registry: ${found.status}`);
  const body = await found.arrayBuffer();
  const headers = { 'content-type': found.headers.get('content-type') ?? '' };
  const put = await fetch(`http://${registry}/v2/web/manifests/${tag}`, { method: 'PUT', headers, body });
  if (put.status !== 201) throw new Error(`web:${tag} was not stored: ${put.status} ${await put.text()}`);
}

/** A Compose file with a page on a port, settings in `.env` and data in a volume. */
export function notesCompose(tag: string, port: number): string {
  return `
services:
  web:
    image: "${registry}/web:${tag}"
    env_file: .env
    ports: ["127.0.0.1:${port}:8080"]
    volumes: ["notes:/data"]
volumes: { notes: {} }
`;
}
