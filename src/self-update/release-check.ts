import { FeedFailed, type UpdatePorts } from './ports.ts';

/** The release that the feed announces. Throws FeedFailed. */
export async function announcedRelease(box: Pick<UpdatePorts, 'releaseFeed'>) {
  const { parseRelease } = await import('./rules/release.ts');
  const verdict = parseRelease(await box.releaseFeed.read());
  if (!verdict.ok) throw new FeedFailed(verdict.problem);
  return verdict.release;
}
