import type { Subject } from '../core.ts';
import type { OwnAppsBox } from './ports.ts';

export function ownAppsSubject(box: OwnAppsBox): Subject {
  return {
    async rooms(of) {
      const { ownAppsRoom } = await import('./room.ts');
      return [ownAppsRoom({ ...box, ...of })];
    },
  };
}
