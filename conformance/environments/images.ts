import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tarEntry } from '../../fakes/tar-entry.ts';
import { type Architecture, idleProgram } from './idle-program.ts';

/** A blob of a registry with its media type. */
export type Blob = { type: string; digest: string; bytes: Buffer };

/** Whether a container of the image keeps running or fails to start. */
export type Behaviour = 'runs' | 'never-start';

export type ImageWish = {
  architecture: Architecture;
  /** Distinguishes the image from those of other names and generations. */
  name: string;
  generation: number;
  does: Behaviour;
  /** Labels of the image and its containers, for finding them. */
  labels: Record<string, string>;
};

/** The blobs of an image. Tags refer to the manifest. */
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
    // The first process of a container ignores other signals.
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
