import { userInfo } from 'node:os';
import { runCommand } from '../../lib/process/run-command.ts';
import { shownName } from '../../lib/shown-text.ts';

/**
 * Writes a line of a command into the journal of the gateway's unit. The field OBJECT_SYSTEMD_UNIT makes `journalctl -u`
 * show it. Has no effect on a machine without a journal.
 */
export async function writeToUnitJournal(line: string, unit = 'boxgate-gateway.service'): Promise<void> {
  const fields = { MESSAGE: shownName(line), SYSLOG_IDENTIFIER: 'boxgate', PRIORITY: '6', OBJECT_SYSTEMD_UNIT: unit };
  const stdin = Object.entries(fields).map(([name, value]) => `${name}=${value}\n`);
  await runCommand(['logger', '--journald'], { stdin: stdin.join(''), timeoutMs: 2000 }).catch(() => undefined);
}

/** The person at the terminal: behind `sudo`, who called it. */
export function operatorName(): string {
  return process.env.SUDO_USER ?? userInfo().username;
}
