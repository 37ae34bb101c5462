import { lookup } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { networkInterfaces, release, type } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { readTextIfThere } from '../../lib/files/read-file.ts';
import { ignore } from '../../lib/ignore.ts';
import { probeHost } from '../../lib/network/probe-host.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import type { Machine } from '../machine.ts';

const commandMs = 10_000;
const lookupMs = 5000;
const outputLimit = 256 * 1024;
const largestFile = 256 * 1024;
const settingsFile = '/etc/boxgate/box.env';

/** This machine, with the programs on the `PATH`. */
export function makeMachine(env: NodeJS.ProcessEnv): Machine {
  return {
    run: (argv) =>
      runCommand(argv, { cwd: '/', env, timeoutMs: commandMs, outputLimit, mayBeCut: true }).then(
        ({ stdout }) => ({ out: stdout.trim(), problem: null }),
        ignore(CommandFailed, (error) => ({ out: '', problem: problemOf(error, argv[0] ?? '') })),
      ),
    ask: (server, host, path) => probeHost(server, host, { path }),
    resolve: (host) => Promise.race([addressesOf(host), pause(lookupMs, [], { ref: false })]),
    addresses: () => Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
    mode: (path) => orNull(() => statSync(path).mode & 0o777),
    system: () => `${systemName()}, ${type()} ${release()}, ${process.arch}`,
    settings() {
      const text = orNull(() => readTextIfThere(settingsFile, largestFile)) ?? '';
      const inFile = [...text.matchAll(/^(BOX_[A-Z_]+)=/gm)].map(([, name = '']) => name);
      const set = Object.keys(env).filter((name) => name.startsWith('BOX_'));
      return [...new Set([...inFile, ...set])].sort();
    },
  };
}

function problemOf({ notFound, timedOut, stderrTail }: CommandFailed, program: string): string {
  if (notFound) return `there is no program ${program}`;
  if (timedOut) return `${program} did not answer within ${commandMs / 1000} s`;
  return stderrTail.trim().split('\n').at(-1) || `${program} failed`;
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return []; // The name does not exist, or no name server answers.
  }
}

function systemName(): string {
  const text = orNull(() => readFileSync('/etc/os-release', 'utf8')) ?? '';
  return /^PRETTY_NAME="?([^"\n]{1,100})/m.exec(text)?.[1] ?? 'an unknown system';
}

/** `null` if the file or folder does not exist or cannot be read. */
function orNull<Found>(look: () => Found): Found | null {
  try {
    return look();
  } catch {
    return null;
  }
}
