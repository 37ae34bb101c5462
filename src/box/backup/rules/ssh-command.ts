import type { BackupPlace } from './backup-place.ts';

type Files = { key: string; alias: string; knownHosts: string };

/**
 * The command by which restic reaches a server with SSH, as one text for restic, which splits it at blanks outside of
 * quotes. It reads no settings of SSH, has one key, and takes only the server that has the pinned key.
 */
export function sshCommand(
  { host, port, user }: Pick<Extract<BackupPlace, { kind: 'sftp' }>, 'host' | 'port' | 'user'>,
  { key, alias, knownHosts }: Files,
): string {
  const options = [
    ...['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=15', 'IdentitiesOnly=yes', 'IdentityAgent=none'],
    ...['StrictHostKeyChecking=yes', 'GlobalKnownHostsFile=/dev/null', `UserKnownHostsFile="${knownHosts}"`],
    ...['UpdateHostKeys=no', `HostKeyAlias=${alias}`],
  ];
  const ssh = ['ssh', '-F', '/dev/null', '-i', key, ...options.flatMap((one) => ['-o', one])];
  return [...ssh, '-p', port, '-l', user, '-s', '--', host, 'sftp'].map((one) => `'${one}'`).join(' ');
}
