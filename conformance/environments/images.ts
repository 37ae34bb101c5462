import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tarEntry } from '../../fakes/tar-entry.ts';
import { type Architecture, idleProgram } from './idle-program.ts';

/** Something that a registry keeps, with what it is. */
export type Blob = { type: string; digest: string; bytes: Buffer };

/** What a container of an image does: run on, or not even start. */
export type Behaviour = 'runs' | 'never-start';

export type ImageWish = {
  architecture: Architecture;
  /** Makes it another image than those of other names and generations. */
  name: string;
  generation: number;
  does: Behaviour;
  /** By these, what was made of it can be found again, containers included. */
  labels: Record<string, string>;
};

/** An image as its registry has it: the manifest that tags name, then what that names. */
export type Image = [manifest: Blob, config: Blob, layer: Blob];

const words: Record<Behaviour, string[]> = { runs: ['/idle'], 'never-start': ['/absent'] };

const types = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
};

export function makeImage({ architecture, name, generation, does, labels }: ImageWish): Image {
  const tar = Buffer.concat([tarEntry('idle', idleProgram(architecture), 0o755), Buffer.alloc(1024)]);
  const layer = blob(types.layer, gzipSync(tar));
  const config = json(types.config, {
    architecture,
    os: 'linux',
    // The first process of a container takes no notice of other signals.
    config: {
      Cmd: words[does],
      StopSignal: 'SIGKILL',
      Labels: { ...labels, image: `${name} ${generation}` },
    },
    rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
  });
  const manifest = json(types.manifest, {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: described(config),
    layers: [described(layer)],
  });
  return [manifest, config, layer];
}

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const blob = (type: string, bytes: Buffer): Blob => ({ type, digest: digestOf(bytes), bytes });
const json = (type: string, value: unknown): Blob => blob(type, Buffer.from(JSON.stringify(value)));
const described = ({ type, digest, bytes }: Blob) => ({ mediaType: type, digest, size: bytes.length });
