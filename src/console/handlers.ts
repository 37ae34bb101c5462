/**
 * Calls the use case of each operation and converts its result to a reply.
 *
 * A new room:
 * 1. its paths in `spec/console.openapi.yaml`, then `npm run generate`;
 * 2. its use cases in `src/box/`, with a command of `boxgate box`; their refusals in `consoleRefusals`
 *    (`src/box/api/refusals.ts`);
 * 3. `handlers/ROOM.ts`, and its line below; a POST that changes something gets its verb in `journal.ts`;
 * 4. `page/rooms/ROOM.js` as `page/rooms/trash.js` is, and its line in `page/console.js` and in `page/render.ts`;
 * 5. a test in `page/ROOM.browser.test.ts`, on real handlers (`page/testing/console-screen.ts`).
 */

import { pageReply } from '../box/api/edge.ts';
import { makeBackupWork } from '../box/backup/backups-room.ts';
import type { BoxPorts, Page } from '../box/ports.ts';
import { addressesHandlers } from './handlers/addresses.ts';
import { appRoomHandlers } from './handlers/app-room.ts';
import { appsHandlers } from './handlers/apps.ts';
import { backupsHandlers } from './handlers/backups.ts';
import { doctorHandlers } from './handlers/doctor.ts';
import { namesHandlers } from './handlers/names.ts';
import { notificationHandlers } from './handlers/notifications.ts';
import { spaceHandlers } from './handlers/space.ts';
import { trashHandlers } from './handlers/trash.ts';
import { updatesHandlers } from './handlers/updates.ts';
import type { ConsoleHandlers } from './service.ts';

export function makeHandlers(box: BoxPorts, page: () => Page, work = makeBackupWork(box)): ConsoleHandlers {
  return {
    showConsole: async () => pageReply(page()),
    ...appsHandlers(box),
    ...appRoomHandlers(box),
    ...trashHandlers(box),
    ...spaceHandlers(box),
    ...updatesHandlers(box),
    ...notificationHandlers(box),
    ...doctorHandlers(box),
    ...backupsHandlers(box, work),
    ...addressesHandlers(box),
    ...namesHandlers(box),
  };
}
