import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { readTextIfThere } from '../../lib/files/read-file.ts';
import { lstatIfThere } from '../../lib/files/storage.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { withVariables } from '../../lib/settings-text.ts';
import { terminalAsk } from '../ask.ts';

const largestFileBytes = 256 * 1024;

type Value = { name: string; value: string };

/**
 * Puts a variable into the settings file of the services; a terminal is asked before. Returns what was done, or is left
 * to do by hand, as lines.
 * @param mayWrite - false to leave the file as it is
 */
export async function noteSetting(file: string, setting: Value, mayWrite: boolean): Promise<string[]> {
  const { name } = setting;
  const restart = 'systemctl restart boxgate-box boxgate-console';
  const byHand = [`put this line into ${file}, then ${restart}:`, `${name}=${shownValue(setting.value)}`];
  if (!mayWrite || lstatIfThere(dirname(file)) === null) return byHand;
  try {
    const text = withSetting(readTextIfThere(file, largestFileBytes) ?? '', setting);
    if (text === null) return byHand;
    const ask = terminalAsk();
    const answer = ask === null ? 'y' : await ask(`Write ${name} into ${file}? [Y/n] `, () => null);
    if (/^n/i.test(answer)) return byHand;
    await writeFileAtomic(file, text, (lstatIfThere(file)?.mode ?? 0o600) & 0o777);
    return [`${name} is set in ${file}; it counts after ${restart}`];
  } catch (error) {
    return [`${file} was not changed: ${(error as Error).message}`, ...byHand];
  }
}

/** The text of a settings file with this variable; `null` if systemd and Node could not read the value alike. */
export function withSetting(text: string, { name, value }: Value): string | null {
  const after = withVariables(text, { [name]: shownValue(value) });
  return !value.includes("'") && parseEnv(after)[name] === value ? after : null;
}

function shownValue(value: string): string {
  return /^[\w./:@%+,=~-]+$/.test(value) ? value : `'${value}'`;
}
