import { isJsonObject, parseJson } from '../../../lib/json.ts';
import type { ImageChange } from '../../rules/compose/image-changes.ts';

/** An image that an update of an app has replaced. `tags`: the references under which the app used it. */
export type ReplacedImage = { id: string; app: string; tags: string[]; replacedAt: string };

const dayMs = 24 * 60 * 60 * 1000;
/** If there are more, the oldest are forgotten, and stay. */
const most = 1000;

/** Adds the images that an update has replaced, and forgets those that it uses again. */
export function withReplaced(
  before: readonly ReplacedImage[],
  app: string,
  running: readonly { imageId: string; image: string }[],
  changes: readonly ImageChange[],
  now: Date,
): ReplacedImage[] {
  const replacedAt = now.toISOString();
  const added = [...new Set(changes.map(({ from }) => from))].map((id) => ({
    id,
    app,
    tags: [...new Set(running.filter(({ imageId }) => imageId === id).map(({ image }) => image))],
    replacedAt,
  }));
  const touched = new Set(changes.flatMap(({ from, to }) => [from, to]));
  return [...before.filter(({ id }) => !touched.has(id)), ...added].slice(-most);
}

export function dueAt({ replacedAt }: ReplacedImage, keepDays: number): Date {
  return new Date(Date.parse(replacedAt) + keepDays * dayMs);
}

/**
 * Why a replaced image stays; `null` if it can be removed. `tags` are those that it has now, `used` the image ids of
 * containers and the references of all apps.
 */
export function keptBecause(
  image: ReplacedImage,
  tags: readonly string[],
  used: { ids: ReadonlySet<string>; references: ReadonlySet<string> },
): string | null {
  if (used.ids.has(image.id)) return 'a container uses it';
  const named = tags.find((tag) => used.references.has(tag));
  if (named !== undefined) return `an app names it: ${named}`;
  const own = new Set(image.tags.map(withTag));
  const foreign = tags.find((tag) => !own.has(tag));
  return foreign === undefined ? null : `it has the tag ${foreign}, which boxgate did not replace`;
}

/** A reference as Docker lists it: with its tag, and without the names of Docker Hub that may be left out. */
export function withTag(reference: string): string {
  const plain = reference.replace(/^(?:index\.)?docker\.io\//, '').replace(/^library\//, '');
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  return name.includes(':') || plain.includes('@') ? plain : `${plain}:latest`;
}

/** The entries of the file. Damaged ones are forgotten: their images stay. */
export function parseReplaced(text: string): ReplacedImage[] {
  const content = parseJson(text);
  return Array.isArray(content) ? content.filter(isReplaced) : [];
}

function isReplaced(value: unknown): value is ReplacedImage {
  if (!isJsonObject(value)) return false;
  const { id, app, tags, replacedAt } = value;
  const isTexts = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return typeof id === 'string' && typeof app === 'string' && isTexts && !Number.isNaN(Date.parse(`${replacedAt}`));
}
