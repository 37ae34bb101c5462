import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onStorage } from '../../lib/files/storage.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import type { BackupTimer } from '../backup/ports.ts';
import { StorageFailed } from '../core.ts';

const commandMs = 60_000;

/** The timer of the service manager that starts the backups. */
export const makeBackupTimer = (unitsDirectory?: string) => makeTimer('boxgate-backup.timer', unitsDirectory);

/** A timer of the service manager. Every failure is a StorageFailed. */
export function makeTimer(timer: string, unitsDirectory = '/etc/systemd/system'): BackupTimer {
  const service = `deploy/${timer.replace('.timer', '.service')}`;
  const systemctl = async (...args: string[]) => {
    try {
      const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
      return (await runCommand(['systemctl', ...args], { cwd: '/', env, timeoutMs: commandMs })).stdout;
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const reason = error.notFound ? 'there is no systemctl' : (error.stderrTail.trim().split('\n').at(-1) ?? '');
      const otherwise = `the installer sets up this timer; without systemd, cron can start what ${service} starts`;
      throw new StorageFailed(`systemctl ${args.join(' ')} failed: ${reason}; ${otherwise}`, { cause: error });
    }
  };
  return {
    async enable(at) {
      if (at !== null) {
        const folder = join(unitsDirectory, `${timer}.d`);
        await onStorage(`cannot write ${folder}`, async () => {
          await mkdir(folder, { recursive: true, mode: 0o755 });
          await writeFileAtomic(join(folder, 'time.conf'), `[Timer]\nOnCalendar=\nOnCalendar=*-*-* ${at}:00\n`, 0o644);
        });
        await systemctl('daemon-reload');
      }
      await systemctl('enable', timer);
      await systemctl('restart', timer);
    },
    async disable() {
      await systemctl('disable', '--now', timer);
    },
    async nextAt() {
      // The option for another form of times does not concern this one, up to systemd 252 at least.
      const show = ['show', '--property=NextElapseUSecRealtime', '--value', timer];
      const shown = await systemctl(...show).catch(() => '');
      const [, day, time] = /^\w+ (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\n$/.exec(shown) ?? [];
      return day === undefined ? null : new Date(`${day}T${time}Z`);
    },
  };
}
