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
import type { NewUnit, Unit } from './model.ts';
import { parseUnitFile, type ServiceSettings, unitFileText } from './unit-file.ts';

/**
 * The state of one stand-in service manager, as files that parallel callers may use at once: a unit is one
 * file, made with O_EXCL, so that of two starts under one name exactly one wins.
 */
export type UnitsFolder = ReturnType<typeof openUnitsFolder>;

/** A fault by script: fires `times` times for calls whose words contain `match`. */
export type Fault = {
  tool: 'systemd-run' | 'systemctl';
  match: string;
  status: number;
  stderr: string;
  times: number;
};

export function openUnitsFolder(folder: string) {
  for (const part of ['units', 'files', 'journal', 'faults', 'fired']) {
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  }
  if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) {
    throw new Error(`${folder} belongs to another user`);
  }
  const loadedFile = (name: string) => join(folder, 'units', `${encodeURIComponent(name)}.json`);
  const settingsFile = (name: string) => join(folder, 'files', encodeURIComponent(name));
  const read = (name: string): Unit | null => {
    const text = textOf(loadedFile(name));
    return text === null ? null : (JSON.parse(text) as Unit);
  };
  /** Whole, under a name that nobody reads. */
  const writeBeside = (unit: Unit): string => {
    const beside = `${loadedFile(unit.name)}.${process.pid}`;
    writeFileSync(beside, JSON.stringify(unit));
    return beside;
  };
  return {
    folder,
    journal: (name: string) => join(folder, 'journal', `${encodeURIComponent(name)}.log`),
    unit: read,
    /** The settings of the unit file of that name in `files/`, or null if the file does not exist. */
    unitFile: (name: string): NewUnit | null => {
      const file = settingsFile(name);
      const text = textOf(file);
      return text === null ? null : parseUnitFile(name, file, text);
    },
    /** Makes the file of a service, `NAME.service`; it is not started. */
    addService: (name: string, settings: ServiceSettings) =>
      writeFileSync(settingsFile(name), unitFileText(settings)),
    /** None once the folder is gone: a command that was cut loose may have made what is around it anew. */
    units: (): Unit[] =>
      (existsSync(join(folder, 'units')) ? readdirSync(join(folder, 'units')) : [])
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => read(decodeURIComponent(name.slice(0, -5))) ?? []),
    /** False when the name is taken. */
    add: (unit: Unit): boolean => {
      const beside = writeBeside(unit);
      try {
        // A link and no write in place, of which somebody might read the half.
        return isFirst(() => linkSync(beside, loadedFile(unit.name)));
      } finally {
        rmSync(beside);
      }
    },
    change: (unit: Unit) => renameSync(writeBeside(unit), loadedFile(unit.name)),
    forget: (name: string) => rmSync(loadedFile(name), { force: true }),
    log: (argv: string[]) => appendFileSync(join(folder, 'calls.log'), `${JSON.stringify(argv)}\n`),
    calls: (): string[][] => {
      // What comes after the last line's end is a line that somebody is about to write.
      const lines = (textOf(join(folder, 'calls.log')) ?? '').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as string[]);
    },
    addFault: (fault: Fault) => {
      const id = String(readdirSync(join(folder, 'faults')).length);
      writeFileSync(join(folder, 'faults', id), JSON.stringify(fault));
    },
    /** The fault that this call has to suffer; each firing leaves a file, so that it is counted once. */
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
    /** Units that are started from now on wait before their command, until they are let go. */
    hold: () => writeFileSync(join(folder, 'hold'), ''),
    letGo: () => rmSync(join(folder, 'hold'), { force: true }),
    faultsFired: (): number => readdirSync(join(folder, 'fired')).length,
  };
}

/** False when what it makes is there already: another caller was first. */
function isFirst(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null when there is no such file, or no longer. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
