import { readProject, resolveProject } from '../app-files/project.ts';
import { ContainersFailed } from '../core.ts';
import { asChange } from '../logged-change.ts';
import { retryDelayMs } from './failed-ups.ts';
import type { EngineBox, MissingImages } from './ports.ts';
import { reconcile } from './reconcile.ts';

/**
 * Pulls missing images whose retry is due, and brings up their apps. The pull takes no turn among the changes, because
 * no container uses a missing image.
 * choice/box/278
 */
export async function retryImages(box: EngineBox, signal: AbortSignal): Promise<void> {
  for (const [app, failed] of box.failedUps) {
    if (signal.aborted) return;
    if (failed.why === 'images' && failed.dueMs <= box.now().getTime()) await retry(box, app, failed, signal);
  }
}

async function retry(box: EngineBox, app: string, failed: MissingImages, signal: AbortSignal): Promise<void> {
  const tries = failed.tries + 1;
  const pending = { ...failed, tries, dueMs: box.now().getTime() + retryDelayMs(tries) };
  box.failedUps.set(app, pending);
  const verdict = await readProject(box, app, box.records.load().get(app));
  // The digest of an incomplete project begins with that of the files that were found.
  const isStopped = box.stopped.all().has(app);
  if (isStopped || !verdict.ok || !failed.digest.startsWith(verdict.project.digest)) {
    // The app was stopped, removed or edited by hand; the next change tries its new files.
    box.failedUps.delete(app);
    return;
  }
  try {
    const project = await resolveProject(box, verdict.project);
    await box.containers.pullServices(project.compose, failed.services, signal);
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    pending.error = error.message;
    return;
  }
  const change = { operation: 'reconcile', subject: app, by: 'its images can be pulled again' };
  await box.changes.run(async () => {
    // A change of the app itself may have brought it up meanwhile.
    if (box.failedUps.get(app) !== pending) return;
    // An empty digest makes the next reconcile try the app again, and keeps the number of tries.
    box.failedUps.set(app, { ...pending, digest: '' });
    await asChange(box.journal, change, () => reconcile(box, null));
  });
}
