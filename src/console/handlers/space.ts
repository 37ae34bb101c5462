import { acceptDisks } from '../../box/apps/app-commands.ts';
import type { BoxPorts } from '../../box/ports.ts';
import { showSpace } from '../../box/space/show-space.ts';
import { freeCommand } from '../../box/space/space-commands.ts';
import { shareWork } from '../../lib/share-work.ts';
import type { ConsoleHandlers } from '../service.ts';

/** The page waits for a minute. What is not counted by then is shown as not counted. */
const countMs = 40_000;

export function spaceHandlers(
  box: BoxPorts,
): Pick<ConsoleHandlers, 'showSpace' | 'removeReplacedImages' | 'acceptDisks'> {
  // An owner who waits loads the page again, and each count reads all folders.
  const count = shareWork(() => showSpace(box, countMs));
  return {
    showSpace: async () => {
      const { otherVolumes, otherImages, ...report } = await count();
      const disks = report.disks.map(({ uses, free, size, isLow }) => ({ uses, free, size, is_low: isLow }));
      const replaced = report.replaced.map(({ goesAt, ...image }) => ({ ...image, goes_at: goesAt }));
      const body = { ...report, disks, replaced, other_volumes: otherVolumes, other_images: otherImages };
      return { status: 200 as const, body };
    },
    removeReplacedImages: async () => ({ status: 200 as const, body: outcome(await freeCommand(box)) }),
    acceptDisks: async ({ name }) => ({ status: 200 as const, body: outcome(await acceptDisks(box, name)) }),
  };
}

function outcome({ status, text }: { status: number; text: string }) {
  return { ok: status === 0, text };
}
