import { asList, asRecord } from '../../rules/compose/fields.ts';
import { bytesOfText } from '../../rules/text/amounts.ts';

/** An image with its size; `own` are the bytes that no other image shares. */
export type UsedImage = { id: string; tags: string[]; bytes: number; own: number };
/** `project`: the Compose project that it belongs to; `null` without one. */
export type UsedVolume = { name: string; project: string | null; bytes: number };
export type EngineUsage = { images: UsedImage[]; volumes: UsedVolume[] };

/** Reads the answer of `docker system df -v` as JSON. `null` if it is not understood. */
export function parseUsage(answer: unknown): EngineUsage | null {
  const { Images: images, Volumes: volumes } = asRecord(answer);
  if (!Array.isArray(images) && !Array.isArray(volumes)) return null;
  const byId = new Map<string, UsedImage>();
  for (const image of asList(images).map(asRecord)) {
    const id = text(image.ID);
    const known = byId.get(id) ?? { id, tags: [], bytes: bytesOf(image.Size), own: bytesOf(image.UniqueSize) };
    if (text(image.Tag) !== '<none>') known.tags.push(`${text(image.Repository)}:${text(image.Tag)}`);
    byId.set(id, known);
  }
  return {
    images: [...byId.values()],
    volumes: asList(volumes).map((entry) => {
      const { Name: name, Size: size, Labels: labels } = asRecord(entry);
      const [, project = null] = /(?:^|,)com\.docker\.compose\.project=([^,]*)/.exec(text(labels)) ?? [];
      return { name: text(name), project, bytes: bytesOf(size) };
    }),
  };
}

const bytesOf = (value: unknown) => bytesOfText(text(value)) ?? 0;

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
