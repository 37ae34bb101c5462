import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Volume } from '../backup/rules/places.ts';
import { ContainersFailed } from '../core.ts';

/** Volumes that are folders. Tests add them with `add`. */
export class MemoryVolumes {
  readonly #root: string;
  volumes: Volume[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds a volume of the project; returns the folder of its data. */
  add(project: string, key: string, more: Partial<Volume> = {}): string {
    const name = `${project}_${key}`;
    const labels = { 'com.docker.compose.project': project, 'com.docker.compose.volume': key };
    const mountpoint = join(this.#root, name, '_data');
    this.volumes.push({ name, driver: 'local', mountpoint, labels, hasOptions: false, ...more });
    mkdirSync(mountpoint, { recursive: true });
    return mountpoint;
  }

  async of(project: string | null, names: readonly string[] = []): Promise<Volume[]> {
    return this.volumes.filter(({ name, labels }) => {
      return labels['com.docker.compose.project'] === project || names.includes(name);
    });
  }

  async make(name: string, labels: Readonly<Record<string, string>>, project: string): Promise<string> {
    const known = this.volumes.find((one) => one.name === name);
    if (known !== undefined) {
      const owner = known.labels['com.docker.compose.project'];
      const isSame = owner === labels['com.docker.compose.project'] || owner === project;
      if (!isSame) throw new ContainersFailed(`the volume ${name} exists and belongs to the project ${owner};`, false);
      return known.mountpoint;
    }
    const [own = '', key = ''] = name.split('_');
    return this.add(own, key, { labels: { ...labels } });
  }
}
