import { listKeptFiles, showKeptFile } from '../../box/apps/kept-files.ts';
import { restartApp } from '../../box/apps/restart-app.ts';
import { changesOfUndo, undoAppSettings } from '../../box/apps/undo-settings.ts';
import { followAppLog, readAppLog } from '../../box/logs/app-log.ts';
import { measureApp, showApp } from '../../box/logs/app-room.ts';
import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

type Operations =
  | 'showApp'
  | 'measureApp'
  | 'readAppLog'
  | 'followAppLog'
  | 'restartApp'
  | 'showUndo'
  | 'undoAppSettings'
  | 'listKeptFiles';

/** Kept files whose difference is shown. */
const mostShown = 20;

export function appRoomHandlers(box: BoxPorts): Pick<ConsoleHandlers, Operations> {
  return {
    showApp: async ({ name }) => {
      const app = await showApp(box, name);
      const { title, version, state, state_detail, addresses, operation, containers, changes } = app;
      const body = {
        ...{ name, title, version, state, state_detail, addresses, containers },
        docker_problem: app.problem ?? '',
        disk_problem: app.diskProblem ?? '',
        operation: operation?.step ?? '',
        changes: changes.map(({ at, operation: verb, by, outcome, detail }) => ({
          ...{ at, operation: verb, by, outcome, detail },
        })),
      };
      return { status: 200 as const, body };
    },
    measureApp: async ({ name }) => {
      const { usage, data, problems } = await measureApp(box, name);
      const sized = data.map(({ kind, name: one, path, bytes = 0, isWhole = false }) => ({
        ...{ kind, name: one, path, bytes, is_whole: isWhole },
      }));
      return { status: 200 as const, body: { usage, data: sized, problems } };
    },
    readAppLog: async ({ name }) => ({ status: 200 as const, body: await readAppLog(box, name) }),
    followAppLog: async ({ name }) => ({
      status: 200 as const,
      type: 'text/event-stream',
      body: eventsOf(followAppLog, box, name),
    }),
    restartApp: async ({ name }) => ({ status: 200 as const, body: await restartApp(box, name) }),
    showUndo: async ({ name }) => ({ status: 200 as const, body: { changes: changesOfUndo(box, name) } }),
    undoAppSettings: async ({ name }) => ({ status: 200 as const, body: await undoAppSettings(box, name) }),
    listKeptFiles: async ({ name }) => {
      const files = [];
      for (const { kept } of listKeptFiles(box, name).slice(0, mostShown)) {
        const { file, difference, isWhole } = await showKeptFile(box, name, kept);
        files.push({ kept, file, difference, is_whole: isWhole });
      }
      return { status: 200 as const, body: { files } };
    },
  };
}

/** The log begins to be read when the first event is asked for, and ends when the client has left. */
function eventsOf(follow: typeof followAppLog, box: BoxPorts, name: string) {
  return async function* (gone: AbortSignal) {
    const log = follow(box, name);
    const end = () => void log.return?.();
    gone.addEventListener('abort', end, { once: true });
    try {
      if (gone.aborted) return;
      for await (const part of log) yield `data: ${JSON.stringify(part)}\n\n`;
    } finally {
      end();
    }
  };
}
