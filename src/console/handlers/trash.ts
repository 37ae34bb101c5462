import { deleteRemovedApp, listRemovedApps, restoreRemovedApp } from '../../box/apps/removed-apps.ts';
import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

export function trashHandlers(
  box: BoxPorts,
): Pick<ConsoleHandlers, 'listTrash' | 'restoreRemovedApp' | 'deleteRemovedApp'> {
  return {
    listTrash: async () => {
      const apps = listRemovedApps(box).map(({ id, name, removedAt, deletedAt, isReplaced }) => ({
        id,
        name,
        removed_at: removedAt.toISOString(),
        deleted_at: deletedAt.toISOString(),
        is_replaced: isReplaced,
      }));
      return { status: 200 as const, body: { apps } };
    },
    restoreRemovedApp: async ({ id }) => ({ status: 200 as const, body: await restoreRemovedApp(box, id) }),
    deleteRemovedApp: async ({ id }) => ({ status: 200 as const, body: await deleteRemovedApp(box, id) }),
  };
}
