import type { components } from '../api.gen.ts';

export type ImageChange = components['schemas']['ImageChange'];

/** A container's image, and the reference that its service names. */
export type RunningImage = { service: string; imageId: string; tag: string };

/**
 * The services whose containers run another image than the local one of their tag: one record a service, sorted
 * by name. A service without a container, or whose tag has no local image, is not compared.
 * box/image-change/1-5, box/post-rules/6, box/post-rules/12, choice/box/123, choice/box/125
 */
export function imageChanges(
  running: readonly RunningImage[],
  localIds: ReadonlyMap<string, string>,
): ImageChange[] {
  const changes = new Map<string, ImageChange>();
  for (const { service, imageId, tag } of running) {
    const localId = localIds.get(tag);
    if (localId === undefined || localId === imageId || changes.has(service)) continue;
    changes.set(service, { service, from: imageId, to: localId, tag });
  }
  return [...changes.values()].sort((a, b) => (a.service < b.service ? -1 : 1));
}
