import { readFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { boundedBytes } from '../../../lib/network/bounded-bytes.ts';
import { trustSystemCertificates } from '../../../lib/network/system-certificates.ts';
import type { RegistryAnswer } from '../ports.ts';
import { addressesOf, type RegistryImage, registryImage, tokenAddress } from '../rules/image-reference.ts';

const answerMs = 15_000;
const mostTokenBytes = 64 * 1024;

/** Those of Docker itself, so that the digest is the one that a pull would record. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
].join(', ');

/** Asks registries as somebody without an account, with one HEAD, which Docker Hub does not count as a pull. */
export function makeRegistry(configuration = '/etc/docker/daemon.json') {
  return async (reference: string): Promise<RegistryAnswer> => {
    const image = registryImage(reference);
    if (image === null) return { isPinned: true };
    trustSystemCertificates();
    let problem = '';
    for (const address of addressesOf(image, engineRegistries(configuration))) {
      try {
        return { digest: await digestAt(address, image) };
      } catch (error) {
        problem = `${URL.parse(address)?.host ?? address} ${reasonOf(error as Error)}`;
      }
    }
    return { problem };
  };
}

/** The mirrors and insecure registries of the engine's configuration; none if it has none. */
function engineRegistries(configuration: string): { mirrors: string[]; insecure: string[] } {
  try {
    const content = parseJson(readFileSync(configuration, 'utf8'));
    const texts = (key: string) => {
      const list = isJsonObject(content) ? content[key] : null;
      return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
    };
    return {
      mirrors: texts('registry-mirrors').filter((one) => URL.canParse(one)),
      insecure: texts('insecure-registries'),
    };
  } catch {
    return { mirrors: [], insecure: [] };
  }
}

async function digestAt(address: string, image: RegistryImage): Promise<string> {
  const url = `${address}/v2/${image.repository}/manifests/${image.tag}`;
  let response = await head(url, {});
  if (response.status === 401) {
    const token = await anonymousToken(response.headers.get('www-authenticate') ?? '', image);
    response = await head(url, { Authorization: `Bearer ${token}` });
  }
  if (!response.ok) throw new RegistryRefused(refusalOf(response.status));
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (!/^[a-z0-9]{2,20}:[0-9a-f]{32,128}$/.test(digest)) throw new RegistryRefused('does not say which image it has');
  return digest;
}

class RegistryRefused extends Error {}

async function head(url: string, headers: Record<string, string>): Promise<Response> {
  const all = { Accept: manifestTypes, ...headers };
  const response = await fetch(url, { method: 'HEAD', headers: all, signal: AbortSignal.timeout(answerMs) });
  await response.body?.cancel();
  return response;
}

async function anonymousToken(challenge: string, image: RegistryImage): Promise<string> {
  const address = tokenAddress(challenge, image);
  if (address === null) throw new RegistryRefused(refusalOf(401));
  // A redirection could lead to this machine after all.
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) });
  const bytes = await boundedBytes(response.body, mostTokenBytes);
  if (bytes === null) throw new RegistryRefused('answers with a token that is too long');
  const content = parseJson(bytes.toString('utf8'));
  const token = isJsonObject(content) ? (content.token ?? content.access_token) : null;
  if (!response.ok || typeof token !== 'string') throw new RegistryRefused(refusalOf(401));
  return token;
}

function refusalOf(status: number): string {
  if (status === 401 || status === 403) return 'asks for an account, which the box does not use for this';
  if (status === 404) return 'does not have the image';
  return status === 429 ? 'was asked too often; the box asks again at its next look' : `answered ${status}`;
}

function reasonOf(error: Error): string {
  if (error instanceof RegistryRefused) return error.message;
  if (error.name === 'TimeoutError') return 'does not answer';
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return `cannot be reached${code === undefined ? '' : `: ${code}`}`;
}
