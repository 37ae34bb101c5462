import { addressesRoom, addressSection } from '../box/addresses/room.ts';
import { refuse } from '../box/api/refusals.ts';
import { remembered } from '../box/apps/app-commands.ts';
import { appRoom, undoRoom } from '../box/apps/app-room.ts';
import { appsRoom } from '../box/apps/room.ts';
import { trashRoom } from '../box/apps/trash-room.ts';
import { type BackupWorker, makeBackupWork } from '../box/backup/backup-work.ts';
import { appBackupsRoom, backupsRoom } from '../box/backup/room.ts';
import { doctorRoom, reportRoom } from '../box/doctor/room.ts';
import { httpsRoom } from '../box/https/room.ts';
import { measuresRoom } from '../box/logs/room.ts';
import { notificationsRoom } from '../box/notify/room.ts';
import type { BoxPorts } from '../box/ports.ts';
import type { Action, Printed, Room } from '../box/report.ts';
import { spaceRoom } from '../box/space/room.ts';
import { updatesRoom } from '../box/versions/room.ts';

/** Every room, in the order of the navigation. A new room is a file `room.ts` of its subject, and its line here. */
export function makeRooms(box: BoxPorts, work: BackupWorker): readonly Room[] {
  return [
    appsRoom(box),
    appRoom(box, (app) => addressSection(box, app)),
    undoRoom(box),
    measuresRoom(box),
    backupsRoom(box, work),
    appBackupsRoom(box, work),
    httpsRoom(box),
    addressesRoom(box),
    trashRoom(box),
    spaceRoom(box),
    updatesRoom(box),
    notificationsRoom(box),
    doctorRoom(box),
    reportRoom(box),
  ];
}

/** The room at an address such as `trash` or `apps/notes`, and the app that follows. */
export function roomAt(rooms: readonly Room[], address: string): { room: Room; app: string } {
  const [path = '', ...rest] = address.split('/');
  const wanted = rest.length === 0 ? path : `${path}/`;
  const room = rooms.find((one) => one.path === wanted);
  if (room === undefined) refuse('notFound');
  return { room, app: rest.join('/') };
}

/** The action of a name such as `trash/restore`, and its fields: each is a text that is not too long. */
export function actionOf(
  rooms: readonly Room[],
  { act, fields }: { act: string; fields: Readonly<Record<string, string>> },
): { action: Action; fields: Record<string, string> } {
  const [path = '', name = ''] = act.split('/');
  const own = rooms.filter((room) => room.path.replace('/', '') === path).map((room) => room.actions ?? {});
  const action = own.find((actions) => Object.hasOwn(actions, name))?.[name];
  if (action === undefined) refuse('invalidAct');
  const given = Object.entries(action.fields).flatMap(([field, most]) => {
    const value = Object.hasOwn(fields, field) ? (fields[field] ?? '') : '';
    if (value.length > most) refuse('invalidAct');
    return value === '' ? [] : [[field, value] as const];
  });
  return { action, fields: Object.fromEntries(given) };
}

export async function printRoom(box: BoxPorts, path: string): Promise<Printed> {
  const { room } = roomAt(makeRooms(box, makeBackupWork(box)), path);
  return (await room.print?.()) ?? { status: 0, lines: [] };
}

/** Carries out an action. A change of an app is remembered in its history; the journal has only those of the servers. */
export async function actByCommand(
  box: BoxPorts,
  request: Parameters<typeof actionOf>[1],
): Promise<{ status: number; text: string }> {
  const { action, fields } = actionOf(makeRooms(box, makeBackupWork(box)), request);
  const { verb, subject } = action;
  const carryOut = () => action.run(fields);
  if (verb !== null && subject !== undefined) return remembered(box, verb, fields[subject] ?? '', carryOut);
  const { ok, text } = await carryOut();
  return { status: ok ? 0 : 1, text };
}
