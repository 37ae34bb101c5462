import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lstatIfThere, onStorage } from '../../../lib/files/storage.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { ResticFailed } from '../../../restic/ports.ts';
import type { DiskMemory } from '../../engine/ports.ts';
import type { PlaceTools } from '../ports.ts';
import { type Mounted, mayHaveBackups, offeredDisks } from '../rules/found-disks.ts';
import { sshFiles } from './place-file.ts';

const answerMs = 2000;
const commandMs = 20_000;
const outputLimit = 64 * 1024;
/** In the order in which one is chosen. */
const kindsOfKeys = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'];

/** @param own - the folders of the apps, of Docker and of the state */
export function makePlaceTools(state: string, { disks, own }: { disks: DiskMemory; own: string[] }): PlaceTools {
  return {
    async disks() {
      const { below, of } = disks.look();
      const look = (mount: string) => lookAt(mount, of(mount).uuid);
      const [mounted, present] = await Promise.all([
        Promise.all(below('/').filter(mayHaveBackups).map(look)),
        Promise.all(['/', ...own].map(look)),
      ]);
      const isThere = (one: Mounted | null) => one !== null;
      return offeredDisks(mounted.filter(isThere), present.filter(isThere));
    },
    async addresses(host) {
      const found = await Promise.race([
        lookup(host, { all: true }).catch(() => []),
        pause(commandMs, [], { ref: false }),
      ]);
      return found.map(({ address }) => address);
    },
    async sshKey() {
      const { folder, key } = sshFiles(state, '');
      if (lstatIfThere(key) === null) {
        const made = join(folder, 'new');
        await onStorage(`cannot write ${key}`, async () => {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await rm(made, { force: true });
        });
        await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', made]);
        await onStorage(`cannot write ${key}`, () => rename(made, key));
      }
      const [kind, text] = (await run(['ssh-keygen', '-y', '-f', key])).trim().split(' ');
      return `${kind} ${text} boxgate@${hostname()}`;
    },
    async hostKey(host, port) {
      const scan = ['ssh-keyscan', '-T', '5', '-p', port, '-t', 'ed25519,ecdsa,rsa', host];
      const keys = (await run(scan)).split('\n').map((line) => line.trim().split(/\s+/).slice(1));
      const found = kindsOfKeys.flatMap((kind) => keys.filter(([one]) => one === kind))[0];
      if (found === undefined) {
        throw new ResticFailed(
          `no server with SSH answers at ${host}, port ${port}: is it on, and is the port right?`,
          'away',
        );
      }
      const [kind = '', key = ''] = found;
      const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
      return { hostKey: `${kind} ${key}`, fingerprint: `SHA256:${digest.replaceAll('=', '')}` };
    },
  };
}

/** A server of files that is off may never answer. */
async function lookAt(mount: string, uuid: string | null): Promise<Mounted | null> {
  const look = Promise.all([stat(mount), statfs(mount)]).then(
    ([{ dev: device }, { bavail, bfree, blocks, bsize }]) => ({
      ...{ mount, device, uuid },
      free: bavail * bsize,
      size: (blocks - bfree + bavail) * bsize,
    }),
    () => null,
  );
  return Promise.race([look, pause(answerMs, null, { ref: false })]);
}

async function run(argv: readonly string[]): Promise<string> {
  try {
    return (await runCommand(argv, { cwd: '/', timeoutMs: commandMs, outputLimit })).stdout;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const missing = 'the programs of SSH are missing on the box; install them: sudo apt install openssh-client';
    if (error.notFound) throw new ResticFailed(missing, 'failed', error);
    // A server that does not answer is told by what is missing in the output.
    if (argv[0] === 'ssh-keyscan') return error.stdout;
    throw new ResticFailed(`${argv[0]}: ${error.stderrTail.split('\n').at(-1) ?? ''}`, 'failed', error);
  }
}
