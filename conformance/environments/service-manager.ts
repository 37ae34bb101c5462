import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServiceManager, SystemdPart } from '../../fakes/fake-parts.ts';
import { InvalidOption } from '../invalid-option.ts';
import { NotApplicable } from '../kernel/check.ts';
import { splitCommandLine } from '../run/command-line.ts';
import { findProgram } from './docker-client.ts';
import { quoted, recordedCalls, recordingLauncher } from './recorder.ts';

const run = promisify(execFile);

/** The programs of the service manager. */
export type SystemdPrograms = { systemdRun: string; systemctl: string };

export function findSystemd(env: NodeJS.ProcessEnv = process.env): SystemdPrograms {
  const programs = { systemdRun: findProgram('systemd-run', env), systemctl: findProgram('systemctl', env) };
  try {
    execFileSync(programs.systemctl, ['show', '--property=Version'], { stdio: 'pipe', timeout: 10_000 });
  } catch (error) {
    const [line = ''] = (error as Error).message.trim().split('\n').slice(-1);
    throw new InvalidOption(`--systemd: no manager answers: ${line}`);
  }
  return programs;
}

/**
 * Puts the machine's service manager in the place of the fake. The launcher of `systemd-run` puts every unit into a
 * slice of the environment, which identifies its units and ends them. If a check asks for it, units wait before they
 * run their command.
 */
export function realSystemd(root: string, { systemdRun, systemctl }: SystemdPrograms): SystemdPart {
  const slice = `boxgateconformance${randomBytes(6).toString('hex')}.slice`;
  const hold = join(root, 'hold');
  const calls = join(root, 'systemd-calls');
  const ask = (...argv: string[]) => execFileSync(systemctl, argv, { encoding: 'utf8', timeout: 30_000 });
  const systemd: ServiceManager = {
    units: () => readUnits(ask('show', '--property=Id,Slice,ActiveState,Environment', '*.service'), slice),
    calls: () => recordedCalls(calls).map(({ argv }) => ['systemd-run', ...argv]),
    hold: () => writeFileSync(hold, ''),
    release: () => rmSync(hold, { force: true }),
    addFault: () => {
      throw new NotApplicable('needs a fake: a fault of the service manager by script');
    },
    faultsFired: () => 0,
  };
  let disposed: Promise<void> | null = null;
  return {
    systemd,
    launchers: {
      'systemd-run': recordingLauncher(systemdRun, calls, wordsOf(slice, hold)),
      systemctl: null,
    },
    dispose: () => {
      disposed ??= run(systemctl, ['stop', slice]).then(
        () => undefined,
        // A slice without any unit is not loaded.
        (error: Error) => {
          if (!/not loaded/.test(error.message)) throw error;
        },
      );
      return disposed;
    },
  };
}

/** Parses the units of a slice from the output of `systemctl show`: one block of `NAME=VALUE` lines per unit. */
export function readUnits(text: string, slice: string): ReturnType<ServiceManager['units']> {
  return text.split('\n\n').flatMap((block) => {
    const properties = new Map(block.split('\n').map(pairOf));
    const { Id: name, ActiveState: state } = Object.fromEntries(properties);
    if (properties.get('Slice') !== slice || name === undefined || state === 'inactive') return [];
    return {
      name,
      activeState: state === 'failed' ? ('failed' as const) : ('active' as const),
      environment: Object.fromEntries((splitCommandLine(properties.get('Environment') ?? '') ?? []).map(pairOf)),
    };
  });
}

function pairOf(text: string): [string, string] {
  const equals = text.indexOf('=');
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/** Options of `systemd-run` with a separate value. */
const valued = [
  ...['host', 'machine', 'property', 'unit', 'slice', 'description', 'uid', 'gid', 'nice', 'setenv'],
  ...['working-directory', 'service-type', 'path-property', 'socket-property', 'timer-property'],
  ...['on-active', 'on-boot', 'on-startup', 'on-unit-active', 'on-unit-inactive', 'on-calendar'],
].map((name) => `--${name}`);
const valuedLetters = ['-H', '-M', '-p', '-u', '-E'];

/**
 * Shell lines that insert the slice option. While the file `hold` exists, they also insert a wait before the command.
 */
function wordsOf(slice: string, hold: string): string {
  return `left=$# now=option
set -- --slice=${slice} "$@"
first=$1; shift; set -- "$@" "$first"
while [ "$left" -gt 0 ]; do
  word=$1; shift; left=$((left - 1))
  case $now in
    value) now=option ;;
    option)
      case $word in
        ${[...valued, ...valuedLetters].join(' | ')}) now=value ;;
        --) now=command ;;
        -*) ;;
        *) now=command; ${insertWait(hold)} ;;
      esac ;;
    command) ${insertWait(hold)} ;;
  esac
  set -- "$@" "$word"
done`;
}

/** Only before the first word of the command. */
function insertWait(hold: string): string {
  const wait = `while [ -e "$0" ]; do sleep 0.02; done; exec "$@"`;
  return `now=rest; [ -e ${quoted(hold)} ] && set -- "$@" /bin/sh -c ${quoted(wait)} ${quoted(hold)}`;
}
