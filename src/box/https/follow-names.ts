import { again } from '../../lib/coalesce.ts';
import { shownName } from '../../lib/shown-text.ts';
import type { HttpsBox } from './https-box.ts';
import { plannedNames } from './https-status.ts';
import { CaddyFailed } from './ports.ts';

/**
 * Brings Caddy's files in line with the apps, and reloads Caddy. Files that Caddy refuses change nothing. If Caddy does
 * not run, its next start reads the new ones. Throws a CaddyFailed or a StorageFailed.
 * @param isDue - also reloads if the files are right already
 */
export async function followNames(box: HttpsBox, isDue: boolean): Promise<void> {
  const { https } = box;
  if (https.setting() === null) return;
  await https.inTurn(async () => {
    const setting = https.setting();
    if (setting === null) return;
    const { present, wanted, isSame } = await plannedNames(box, setting);
    if (isSame && !isDue) return;
    if (!isSame) {
      await https.caddy.validate(wanted);
      await https.write(wanted);
    }
    try {
      await https.caddy.reload(setting.caddyfile, false);
    } catch (error) {
      if (!(error instanceof CaddyFailed && error.isAway)) await https.write(present);
      throw error;
    }
  });
}

/** Lets the names follow the apps in the background. A failure is warned of once, and the next call tries again. */
export function makeNameFollower(box: HttpsBox): () => void {
  let isDue = true;
  return again(
    async () => {
      const isReload = isDue;
      isDue = true;
      await followNames(box, isReload);
      isDue = false;
    },
    (reason) => box.warn(`the names with HTTPS do not follow their apps yet: ${shownName(reason)}`),
  );
}
