import { hex } from './digest.ts';
import { daemonError } from './failure.ts';
import { parseReference, type Reference } from './reference.ts';
import type { EngineState, Image } from './state.ts';

/**
 * Local images and the registry. The registry has every valid reference. Image ids derive from reference and
 * generation, so a tag has the same id on every engine.
 */
export function readReference(text: string): Reference {
  const reference = parseReference(text);
  if (reference) return reference;
  const isUpper = parseReference(text.toLowerCase().replaceAll(' ', '')) !== null && /[A-Z]/.test(text);
  const name = /[/.:]/.test(text.split('/')[0] ?? '') && text.includes('/') ? text : `library/${text}`;
  const why = isUpper ? `: repository name (${withoutTag(name)}) must be lowercase` : '';
  throw daemonError(`invalid reference format${why}`);
}

function withoutTag(name: string): string {
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  return colon === -1 ? name : name.slice(0, colon);
}

export function registryGeneration(state: EngineState, familiar: string): number {
  return state.registry[familiar]?.generation ?? 1;
}

/** Pulls the current registry content of a reference and moves the local tag. */
export function pullImage(state: EngineState, text: string): { image: Image; isNew: boolean } {
  const reference = readReference(text);
  const generation = reference.digest ? 1 : registryGeneration(state, reference.familiar);
  const image = registryContent(state, reference, generation);
  const known = state.images.find((one) => one.id === image.id);
  const isNew = !known?.tags.includes(reference.familiar) && !(reference.digest && known);
  const local = known ?? image;
  if (!known) state.images.push(local);
  if (!reference.digest) moveTag(state, reference.familiar, local);
  return { image: local, isNew };
}

function registryContent(state: EngineState, reference: Reference, generation: number): Image {
  const source = reference.familiar;
  const manifest = reference.digest || `sha256:${hex(`manifest ${source} #${generation}`)}`;
  const known = reference.digest
    ? state.images.find((one) => one.digests.includes(`${reference.name}@${reference.digest}`))
    : undefined;
  if (known) return known;
  return {
    id: `sha256:${hex(`image ${source} #${generation}`)}`,
    manifest,
    tags: [],
    digests: [`${reference.name}@${manifest}`],
    source,
    generation,
    created: new Date(Date.UTC(2024, 0, 1) + generation * 86_400_000).toISOString(),
    size: 4_000_000 + (Number.parseInt(hex(source).slice(0, 4), 16) % 1_000_000),
  };
}

/** Builds an image; its id derives from name and recipe. */
export function buildImage(state: EngineState, text: string, recipe: string): Image {
  const reference = readReference(text);
  const id = `sha256:${hex(`built ${reference.familiar} ${recipe}`)}`;
  const image = state.images.find((one) => one.id === id) ?? {
    id,
    manifest: `sha256:${hex(`built manifest ${reference.familiar} ${recipe}`)}`,
    tags: [],
    digests: [],
    source: reference.familiar,
    generation: 1,
    created: new Date(Date.UTC(2024, 0, 2)).toISOString(),
    size: 4_500_000,
  };
  if (!state.images.includes(image)) state.images.push(image);
  moveTag(state, reference.familiar, image);
  return image;
}

export function moveTag(state: EngineState, familiar: string, to: Image): void {
  for (const image of state.images) image.tags = image.tags.filter((tag) => tag !== familiar);
  to.tags.push(familiar);
}

/** Finds a local image by name, digest, id or id prefix. */
export function findImage(state: EngineState, text: string): Image | undefined {
  const byId = text.replace(/^sha256:/, '');
  if (/^[0-9a-f]{64}$/.test(byId)) {
    return state.images.find((one) => one.id === `sha256:${byId}`);
  }
  const reference = parseReference(text);
  const byName = reference && state.images.find((one) => hasName(one, reference));
  if (byName) return byName;
  if (!/^[0-9a-f]{4,64}$/.test(byId)) return undefined;
  return state.images.find((one) => one.id.startsWith(`sha256:${byId}`));
}

function hasName(image: Image, reference: Reference): boolean {
  if (reference.digest) return image.digests.includes(`${reference.name}@${reference.digest}`);
  return image.tags.includes(reference.familiar);
}

export function requireImage(state: EngineState, text: string): Image {
  const image = findImage(state, text);
  if (!image) throw daemonError(`No such image: ${parseReference(text)?.familiar ?? text}`);
  return image;
}

/** `docker rmi`: removes a name, and the image with its last name. Returns the output lines. */
export function removeImage(state: EngineState, text: string, force: boolean): string[] {
  const image = requireImage(state, text);
  const reference = parseReference(text);
  const isName = reference !== null && image.tags.includes(reference.familiar);
  const user = state.containers.find((one) => one.imageId === image.id);
  const short = image.id.slice(7, 19);
  if (isName && (image.tags.length > 1 || (user && force))) {
    image.tags = image.tags.filter((tag) => tag !== reference.familiar);
    return [`Untagged: ${reference.familiar}`];
  }
  if (user) {
    const reason = isName
      ? `unable to remove repository reference "${text}" (must force)`
      : `unable to delete ${short} (must be forced)`;
    throw daemonError(`conflict: ${reason} - container ${user.id.slice(0, 12)} is using image ${short}`);
  }
  const lines = [
    ...image.tags.map((tag) => `Untagged: ${tag}`),
    ...image.digests.map((digest) => `Untagged: ${digest}`),
    `Deleted: ${image.id}`,
    `Deleted: sha256:${hex(`layer ${image.id}`)}`,
  ];
  state.images = state.images.filter((one) => one !== image);
  return lines;
}
