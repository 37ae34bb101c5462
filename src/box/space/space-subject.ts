import type { Subject } from '../core.ts';
import { unknown } from '../rules/findings/finding.ts';
import type { SpaceBox } from './ports.ts';
import { rememberReplaced, removeReplacedImages } from './replaced-images.ts';
import { judgeDisk, lowDisksText } from './rules/disk-space.ts';

const dayMs = 24 * 60 * 60 * 1000;
const lookEveryMs = 60_000;
/** A change that removes images may take minutes. */
const clearAfterMs = 10 * 60_000;
const link = { text: 'What takes the space', href: '/settings/#/space' };

export function spaceSubject(box: SpaceBox): Subject {
  const { space } = box;
  return {
    rooms: async (of) => [(await import('./room.ts')).spaceRoom({ ...box, ...of })],
    async examine() {
      const disks = await space.disks();
      return disks.length > 0 ? disks.map(judgeDisk) : [unknown('disk', 'no disk says how much room it has')];
    },
    notices() {
      const { text } = space.low;
      const state = text === null ? 'ok' : 'low';
      return [{ topic: 'disk', state, text: text ?? 'The disks have enough room again.' }];
    },
    keepHouse() {
      keepImagesFew(box);
      keepWatchOnDisks(box);
    },
    pageNote: () => (space.low.text === null ? null : { about: 'Disk space', text: space.low.text, link }),
    replaced: (app, running, changes) => rememberReplaced(box, app, running, changes),
  };
}

/** Removes the images whose time is over that updates have replaced, once a day. At the start, the apps come first. */
function keepImagesFew(box: SpaceBox): void {
  const clear = async () => {
    try {
      const { removed } = await removeReplacedImages(box, false);
      for (const { app, tags, id } of removed)
        box.warn(`removed the image ${tags[0] ?? id}, replaced by an update of ${app}`);
    } catch (error) {
      box.warn(`replaced images could not be removed: ${(error as Error).message}`);
    }
  };
  setInterval(clear, dayMs).unref();
  setTimeout(clear, clearAfterMs).unref();
}

/** Looks at the free space of the disks, now and once a minute. */
function keepWatchOnDisks({ space }: SpaceBox): void {
  const look = async () => {
    space.low.text = lowDisksText(await space.disks());
  };
  setInterval(look, lookEveryMs).unref();
  void look();
}
