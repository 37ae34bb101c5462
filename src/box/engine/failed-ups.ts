import { ignore } from '../../lib/ignore.ts';
import type { Project } from '../app-files/project.ts';
import { ContainersFailed, type Core } from '../core.ts';
import type { EngineBox } from './ports.ts';

const minuteMs = 60_000;
const longestMinutes = 30;

/** The delay after this many retries: 1 minute, 2, 4 … 30 minutes. choice/box/278 */
export function retryDelayMs(tries: number): number {
  return Math.min(2 ** tries, longestMinutes) * minuteMs;
}

/**
 * Remembers an app whose images cannot be pulled, so that the changes of other apps do not wait for the pull again.
 * After any other failure the next change tries again. Returns false if every image is on this machine.
 * choice/box/278
 */
export async function rememberMissingImages(
  box: Pick<EngineBox, 'containers' | 'failedUps' | 'now'>,
  app: string,
  project: Project,
  error: string | null,
): Promise<boolean> {
  const before = box.failedUps.get(app);
  box.failedUps.delete(app);
  const services = await servicesWithoutImage(box, project);
  if (services.length === 0) return false;
  const tries = before?.why === 'images' ? before.tries : 0;
  const dueMs = box.now().getTime() + retryDelayMs(tries);
  box.failedUps.set(app, { why: 'images', digest: project.digest, error, services, tries, dueMs });
  return true;
}

/** Starts the pulls of other apps' images beside a change, which does not wait for them. choice/box/278 */
export function hastenRetries(box: Pick<EngineBox, 'failedUps' | 'now' | 'retryImages'>, changed: string | null): void {
  const others = [...box.failedUps].filter(([app]) => app !== changed);
  const due = others.map(([, failed]) => failed).filter((failed) => failed.why === 'images');
  if (due.length === 0) return;
  for (const failed of due) failed.dueMs = box.now().getTime();
  box.retryImages();
}

/** Empty if Docker gives no answer. */
async function servicesWithoutImage(box: Pick<Core, 'containers'>, { model }: Project): Promise<string[]> {
  const tags = new Map<string, string>();
  for (const [service, { image, isBuilt }] of Object.entries(model.services)) {
    if (image !== null && !isBuilt) tags.set(service, image);
  }
  if (tags.size === 0) return [];
  return box.containers.imageIds([...new Set(tags.values())]).then(
    (local) => [...tags].filter(([, tag]) => !local.has(tag)).map(([service]) => service),
    ignore(ContainersFailed, () => []),
  );
}
