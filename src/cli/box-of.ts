import type { BoxSettings } from '../box/box-settings.ts';
import type { Box } from '../box/server.ts';
import type { Call, Command } from './command.ts';
import { readBoxSettings } from './settings/box-settings.ts';
import type { Source } from './settings/setting.ts';

/**
 * The box of a command. The source of every command has the variables of the settings file.
 * @param changes - what the command knows better than flags and variables
 */
export async function boxOf(source: Source, changes: Partial<BoxSettings> = {}): Promise<Box> {
  const { makeBox } = await import('../box/server.ts');
  return makeBox({ ...readBoxSettings(source), ...changes });
}

export function onBox(work: (box: Box, words: string[], call: Call) => ReturnType<Command['run']>): Command['run'] {
  return async (call) => work(await boxOf(call), call.words, call);
}

/** The run of a command that prints a room. */
export function printing(path: string): Command['run'] {
  return onBox(async (box) => {
    const { printRoom } = await import('../console/rooms.ts');
    const { status, lines } = await printRoom(box, path);
    return status === 0 ? lines : { status, text: lines.join('\n') };
  });
}

type FieldsOf = (words: string[], call: Call) => Readonly<Record<string, string>>;

/** The run of a command that carries out an action of a room; its word is the field `app`, unless `fieldsOf` says else. */
export function acting(act: string, fieldsOf: FieldsOf = ([app = '']) => ({ app })): Command['run'] {
  return onBox(async (box, words, call) =>
    (await import('../console/rooms.ts')).actByCommand(box, { act, fields: fieldsOf(words, call) }),
  );
}
