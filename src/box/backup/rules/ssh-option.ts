import type { BackupPlace } from './backup-place.ts';

type Files = { key: string; alias: string; knownHosts: string };

/**
 * The option of restic with the command by which it reaches a server with SSH. Restic reads the option as a line of CSV,
 * and splits the command at blanks outside of quotes. The command reads no settings of SSH, has one key, and takes only the server that has the pinned key.
 */
export function sshOption(
  { host, port, user }: Pick<Extract<BackupPlace, { kind: 'sftp' }>, 'host' | 'port' | 'user'>,
  { key, alias, knownHosts }: Files,
): string {
  const options = [
    ...['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=15', 'IdentitiesOnly=yes', 'IdentityAgent=none'],
    ...['StrictHostKeyChecking=yes', 'GlobalKnownHostsFile=/dev/null', `UserKnownHostsFile="${knownHosts}"`],
    ...['UpdateHostKeys=no', `HostKeyAlias=${alias}`],
  ];
  const ssh = ['ssh', '-F', '/dev/null', '-i', key, ...options.flatMap((one) => ['-o', one])];
  const words = [...ssh, '-p', port, '-l', user, '-s', '--', host, 'sftp'];
  const command = words.map((one) => `'${one}'`).join(' ');
  return `"sftp.command=${command.replaceAll('"', '""')}"`;
}
