import { Failure } from '../model/failure.ts';
import { findImage, moveTag, pullImage, readReference, removeImage, requireImage } from '../model/images.ts';
import { parseReference } from '../model/reference.ts';
import type { EngineState, Image } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { printList, type Row } from './list.ts';
import { humanDuration, shortTime, sizeText } from './views/describe.ts';
import { readFlags } from './views/flags.ts';

/** Pulls one image; `pull` faults apply here, for all commands. */
export async function pullOne(
  call: Call,
  reference: string,
  about: readonly string[] = [],
): Promise<{ image: Image; isNew: boolean }> {
  readReference(reference);
  await faultPoint(call, 'pull', [reference, ...about]);
  const pulled = await call.change((state) => pullImage(state, reference));
  await faultPoint(call, 'pull', [reference, ...about], 'after');
  return pulled;
}

/** `docker pull [-q] REFERENCE`. */
export async function pull(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('pull', 'q/quiet platform= disable-content-trust', argv);
  const [asked = ''] = flags.rest;
  if (flags.rest.length !== 1) throw new Failure(1, '"docker pull" requires exactly 1 argument.');
  engineState(call);
  const reference = readBare(asked);
  const quiet = flags.has('quiet');
  if (!quiet) call.out(`${/[:@]/.test(asked.slice(asked.lastIndexOf('/'))) ? '' : 'Using default tag: latest\n'}`);
  const { image, isNew } = await pullOne(call, asked);
  const where = reference.digest ? reference.familiar : `${reference.name}:${reference.tag}`;
  const whole = reference.name.includes('/')
    ? /[.:]/.test(where.split('/')[0] ?? '')
      ? where
      : `docker.io/${where}`
    : `docker.io/library/${where}`;
  if (quiet) return call.out(`${whole}\n`);
  call.out(`${reference.tag || reference.digest}: Pulling from ${pathOf(whole)}\n`);
  call.out(`Digest: ${image.manifest}\n`);
  call.out(`Status: ${isNew ? 'Downloaded newer image' : 'Image is up to date'} for ${where}\n${whole}\n`);
}

/** The client parses the reference itself, so its message has no engine prefix. */
function readBare(text: string) {
  try {
    return readReference(text);
  } catch (error) {
    throw new Failure(1, (error as Error).message.replace(/^Error response from daemon: /, ''));
  }
}

/** A reference without its registry, tag and digest. */
function pathOf(whole: string): string {
  const [path = ''] = whole.slice(whole.indexOf('/') + 1).split(/[@:]/, 1);
  return path;
}

/** `docker tag SOURCE TARGET`. */
export async function tag(call: Call, argv: readonly string[]): Promise<void> {
  const { rest } = readFlags('tag', '', argv);
  const [source = '', target = ''] = rest;
  if (rest.length !== 2) throw new Failure(1, '"docker tag" requires exactly 2 arguments.');
  await faultPoint(call, 'tag', rest);
  engineState(call);
  const to = readReference(target);
  if (to.digest) throw new Failure(1, 'refusing to create a tag with a digest reference');
  await call.change((state) => moveTag(state, to.familiar, requireImage(state, source)));
}

/** `docker rmi`. */
export async function removeImages(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('rmi', 'f/force no-prune', argv);
  await faultPoint(call, 'rmi', flags.rest);
  engineState(call);
  const failures: string[] = [];
  for (const name of flags.rest) {
    try {
      const lines = await call.change((state) => removeImage(state, name, flags.has('force')));
      call.out(`${lines.join('\n')}\n`);
    } catch (error) {
      // Like the real client, continue with the other names.
      if (!(error instanceof Failure)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length > 0)
    throw new Failure(flags.has('force') && isOnlyMissing(failures) ? 0 : 1, failures.join('\n'));
}

const isOnlyMissing = (failures: readonly string[]) => failures.every((text) => text.includes('No such image'));

const usual = [
  ['Repository', 'REPOSITORY'],
  ['Tag', 'TAG'],
  ['ID', 'IMAGE ID'],
  ['CreatedSince', 'CREATED'],
  ['Size', 'SIZE'],
] as const;
/** `docker images` and `docker image ls`. */
export async function listImages(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('images', 'a/all q/quiet no-trunc digests format=', argv);
  await faultPoint(call, 'images', flags.rest);
  const state = engineState(call);
  const whole = flags.has('no-trunc');
  const rows = state.images
    .flatMap((image) => imageRows(image, whole, flags.has('digests'), call.now()))
    .filter((row) => flags.rest.every((name) => isNamed(row, name)));
  if (!flags.has('quiet') || flags.text('format')) return printList(call, rows, flags.text('format'), usual);
  for (const id of new Set(rows.map((row) => row.ID))) call.out(`${id}\n`);
}

export function imageRows(image: Image, whole: boolean, digests: boolean, now: number): Row[] {
  const names = image.tags.length > 0 ? image.tags : [`${image.digests[0]?.split('@')[0] ?? '<none>'}:<none>`];
  return names.map((name) => ({
    Containers: 'N/A',
    CreatedAt: shortTime(Date.parse(image.created)),
    CreatedSince: `${humanDuration(now - Date.parse(image.created))} ago`,
    Digest: digests && image.digests.length > 0 ? image.manifest : '<none>',
    ID: whole ? image.id : image.id.slice(7, 19),
    Repository: name.slice(0, name.lastIndexOf(':')),
    SharedSize: 'N/A',
    Size: sizeText(image.size),
    Tag: name.slice(name.lastIndexOf(':') + 1),
    UniqueSize: 'N/A',
    VirtualSize: sizeText(image.size),
  }));
}

function isNamed(row: Row, name: string): boolean {
  const pattern = name.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]*');
  const whole = new RegExp(`^${pattern}$`);
  const wanted = parseReference(name)?.familiar;
  const found = `${row.Repository}:${row.Tag}`;
  return (
    whole.test(String(row.Repository)) ||
    whole.test(found) ||
    (wanted === found && /:/.test(name.slice(name.lastIndexOf('/'))))
  );
}

export function isLocal(state: EngineState, reference: string): boolean {
  return findImage(state, reference) !== undefined;
}
