import { isJsonObject } from '../../../lib/json.ts';
import type { AppOperation } from '../../known-apps.ts';
import type { RoomPorts } from '../../room-ports.ts';

const answerMs = 1000;

/** Asks the server of the box, which alone knows of its changes. */
export function makeOtherOperation(
  readRunning: () => Promise<{ address: string } | null>,
): RoomPorts['otherOperation'] {
  return async (app) => {
    try {
      const running = await readRunning();
      if (running === null) return null;
      const response = await fetch(`${running.address}/api/apps`, { signal: AbortSignal.timeout(answerMs) });
      const list: unknown = await response.json();
      const found = Array.isArray(list) ? list.find((one) => isJsonObject(one) && one.name === app) : null;
      return isJsonObject(found?.operation) ? (found.operation as AppOperation) : null;
    } catch {
      return null; // It does not run, or is busy.
    }
  };
}
