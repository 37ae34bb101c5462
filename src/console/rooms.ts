import { addressesRoom, addressSection } from '../box/addresses/room.ts';
import { refuse } from '../box/api/refusals.ts';
import { appRoom } from '../box/apps/rooms/app-room.ts';
import { trashRoom } from '../box/apps/rooms/trash-room.ts';
import { undoRoom } from '../box/apps/rooms/undo-room.ts';
import { makeBackupWork } from '../box/backup/rooms/backup-work.ts';
import { appBackupsRoom, backupsRoom } from '../box/backup/rooms/backups-room.ts';
import { bringBackRoom } from '../box/backup/rooms/bring-back-room.ts';
import { filesRoom } from '../box/backup/rooms/files-room.ts';
import { placeRoom } from '../box/backup/rooms/place-room.ts';
import type { SetUpBox } from '../box/https/https-box.ts';
import { httpsRoom } from '../box/https/room.ts';
import { remembered } from '../box/logged-change.ts';
import type { LogsBox } from '../box/logs/ports.ts';
import { measuresRoom, useRoom } from '../box/logs/room.ts';
import type { Action, Printed, Room } from '../box/report.ts';

type RoomsBox = LogsBox & SetUpBox;

/** Every room. Those of a group follow each other on its page in this order. */
export async function makeRooms(box: RoomsBox, work = makeBackupWork(box)): Promise<readonly Room[]> {
  const further = await Promise.all(box.subjects.map(async ({ rooms }) => (await rooms?.(box)) ?? []));
  return [
    appRoom(box, (app) => addressSection(box, app)),
    undoRoom(box),
    measuresRoom(box),
    useRoom(box),
    backupsRoom(box, work),
    bringBackRoom(box, work),
    appBackupsRoom(box, work),
    filesRoom(box),
    placeRoom(box),
    httpsRoom(box),
    addressesRoom(box),
    ...further.flat(),
    trashRoom(box),
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
  if (action.needed?.some((field) => !Object.hasOwn(fields, field))) refuse('invalidAct');
  const given = Object.entries(action.fields).flatMap(([field, most]) => {
    const value = Object.hasOwn(fields, field) ? (fields[field] ?? '') : '';
    if (value.length > most) refuse('invalidAct');
    return value === '' ? [] : [[field, value] as const];
  });
  return { action, fields: Object.fromEntries(given) };
}

export async function printRoom(box: RoomsBox, path: string): Promise<Printed> {
  const { room } = roomAt(await makeRooms(box), path);
  return (await room.print?.()) ?? { status: 0, lines: [] };
}

/** Carries out an action. A change of an app is remembered in its history; the journal has only those of the servers. */
export async function actByCommand(
  box: RoomsBox,
  request: Parameters<typeof actionOf>[1],
): Promise<{ status: number; text: string }> {
  const { action, fields } = actionOf(await makeRooms(box), request);
  const { verb, subject } = action;
  const carryOut = () => action.run(fields);
  if (verb !== null && subject !== undefined) return remembered(box, verb, fields[subject] ?? '', carryOut);
  const { ok, text } = await carryOut();
  return { status: ok ? 0 : 1, text };
}
