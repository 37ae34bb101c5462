import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Unit } from './model.ts';

/**
 * The state of one fake service manager as files, for parallel callers. A unit is one file, created exclusively: of two
 * starts with one name exactly one succeeds.
 */
export type UnitsFolder = ReturnType<typeof openUnitsFolder>;

/** A fault for the first `times` calls whose arguments contain `match`. */
export type Fault = { tool: 'systemd-run' | 'systemctl'; match: string; status: number; stderr: string; times: number };

export function openUnitsFolder(folder: string) {
  for (const part of ['units', 'journal', 'faults', 'fired']) {
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  }
  if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) {
    throw new Error(`${folder} belongs to another user`);
  }
  const loadedFile = (name: string) => join(folder, 'units', `${encodeURIComponent(name)}.json`);
  const read = (name: string): Unit | null => {
    const text = textOf(loadedFile(name));
    return text === null ? null : (JSON.parse(text) as Unit);
  };
  /** Writes a complete temporary file. */
  const writeBeside = (unit: Unit): string => {
    const beside = `${loadedFile(unit.name)}.${process.pid}`;
    writeFileSync(beside, JSON.stringify(unit));
    return beside;
  };
  return {
    folder,
    journal: (name: string) => join(folder, 'journal', `${encodeURIComponent(name)}.log`),
    unit: read,
    /** Empty if the folder was removed. */
    units: (): Unit[] =>
      (existsSync(join(folder, 'units')) ? readdirSync(join(folder, 'units')) : [])
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => read(decodeURIComponent(name.slice(0, -5))) ?? []),
    /** False if the name is in use. */
    add: (unit: Unit): boolean => {
      const beside = writeBeside(unit);
      try {
        // A link, so that no reader sees a partial file.
        return isFirst(() => linkSync(beside, loadedFile(unit.name)));
      } finally {
        rmSync(beside);
      }
    },
    change: (unit: Unit) => renameSync(writeBeside(unit), loadedFile(unit.name)),
    forget: (name: string) => rmSync(loadedFile(name), { force: true }),
    log: (argv: string[]) => appendFileSync(join(folder, 'calls.log'), `${JSON.stringify(argv)}\n`),
    calls: (): string[][] => {
      // The last line may be incomplete.
      const lines = (textOf(join(folder, 'calls.log')) ?? '').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as string[]);
    },
    addFault: (fault: Fault) => {
      const id = String(readdirSync(join(folder, 'faults')).length);
      writeFileSync(join(folder, 'faults', id), JSON.stringify(fault));
    },
    /** The fault for this call. A file for each use makes the count exact. */
    takeFault: (tool: string, argv: string[]): Fault | null => {
      for (const id of readdirSync(join(folder, 'faults')).sort()) {
        const fault = JSON.parse(readFileSync(join(folder, 'faults', id), 'utf8')) as Fault;
        if (fault.tool !== tool || !argv.join(' ').includes(fault.match)) continue;
        for (let n = 0; n < fault.times; n += 1) {
          const firing = join(folder, 'fired', `${id}.${n}`);
          if (isFirst(() => writeFileSync(firing, '', { flag: 'wx' }))) return fault;
        }
      }
      return null;
    },
    /** Makes units wait before their command until `release`. */
    hold: () => writeFileSync(join(folder, 'hold'), ''),
    release: () => rmSync(join(folder, 'hold'), { force: true }),
    faultsFired: (): number => readdirSync(join(folder, 'fired')).length,
  };
}

/** False if the file exists: another caller was first. */
function isFirst(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** `null` if the file does not exist. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
