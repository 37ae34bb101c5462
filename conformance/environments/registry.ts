import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pauseUnless } from '../../fakes/pause.ts';
import type { Architecture } from './idle-program.ts';
import { type Behaviour, type Blob, makeImage } from './images.ts';

/**
 * A registry on loopback that has every requested image. Engines use plain HTTP there by default. Faults are injected
 * here, so that the engine and its client see them as with any registry.
 */
export type Registry = {
  /** `127.0.0.1:PORT`, the first part of its image names. */
  host: string;
  /** Replaces an image by a newer one. */
  advance: (name: string) => void;
  /** Sets what containers of an image do, for one generation or for all. */
  behave: (name: string, does: Behaviour, generation?: number) => void;
  /** Refuses, breaks off or delays the next pulls of images whose name contains `match`. */
  addFault: (fault: PullFault) => void;
  faultsFired: () => number;
  /** Removes all faults and lets delayed pulls continue. */
  clearFaults: () => void;
  close: () => Promise<void>;
};

export type PullFault = {
  match?: string;
  times?: number;
  does: 'refuse' | 'rate-limit' | 'break-off' | { waitMs: number };
};

export type RegistryOptions = { architecture: Architecture; labels: Record<string, string> };

type Tagged = { generation: number; behaviours: { does: Behaviour; generation?: number }[] };
type Scripted = PullFault & { left: number };

export async function startRegistry({ architecture, labels }: RegistryOptions): Promise<Registry> {
  const tags = new Map<string, Tagged>();
  const blobs = new Map<string, Blob>();
  let faults: Scripted[] = [];
  let fired = 0;
  let clearing = new AbortController();

  const tagOf = (name: string): Tagged => {
    const found = tags.get(name) ?? { generation: 1, behaviours: [] };
    tags.set(name, found);
    return found;
  };
  const manifestOf = (name: string): Blob => {
    const { generation, behaviours } = tagOf(name);
    const fits = behaviours.findLast((one) => (one.generation ?? generation) === generation);
    const image = makeImage({ architecture, name, generation, does: fits?.does ?? 'runs', labels });
    for (const blob of image) blobs.set(blob.digest, blob);
    return image[0];
  };
  const takeFault = (name: string): PullFault['does'] | null => {
    const fault = faults.find((one) => one.left > 0 && name.includes(one.match ?? ''));
    if (fault === undefined) return null;
    fault.left -= 1;
    fired += 1;
    return fault.does;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, repository = '', kind = '', reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(request.url ?? '') ?? [];
    if (kind === 'manifests' && !reference.startsWith('sha256:')) {
      const name = `${repository}:${reference}`;
      const does = takeFault(name);
      if (typeof does === 'string') return fail(response, does);
      if (does !== null) await pauseUnless(does.waitMs, clearing.signal);
      return send(request, response, manifestOf(name));
    }
    const blob = blobs.get(reference);
    if (blob !== undefined) send(request, response, blob);
    else response.writeHead(request.url === '/v2/' ? 200 : 404).end('{}');
  };

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    advance: (name) => {
      tagOf(name).generation += 1;
    },
    behave: (name, does, generation) => {
      tagOf(name).behaviours.push({ does, ...(generation === undefined ? {} : { generation }) });
    },
    addFault: (fault) => void faults.push({ ...fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    faultsFired: () => fired,
    clearFaults: () => {
      faults = [];
      clearing.abort();
      clearing = new AbortController();
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function fail(response: ServerResponse, how: Extract<PullFault['does'], string>): void {
  if (how === 'break-off') return void response.destroy();
  const [status, code] = how === 'rate-limit' ? [429, 'TOOMANYREQUESTS'] : [404, 'MANIFEST_UNKNOWN'];
  const body = JSON.stringify({ errors: [{ code, message: how }] });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function send(request: IncomingMessage, response: ServerResponse, { type, digest, bytes }: Blob): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, 'docker-content-digest': digest });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
