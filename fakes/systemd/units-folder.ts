import {
  appendFileSync,
  existsSync,
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
  for (const part of ['units', 'journal', 'faults', 'fired']) {
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  }
  if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) {
    throw new Error(`${folder} belongs to another user`);
  }
  const unitFile = (name: string) => join(folder, 'units', `${encodeURIComponent(name)}.json`);
  const read = (name: string): Unit | null => {
    const file = unitFile(name);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Unit) : null;
  };
  return {
    folder,
    journal: (name: string) => join(folder, 'journal', `${encodeURIComponent(name)}.log`),
    unit: read,
    /** None once the folder is gone: a command that was cut loose may have made what is around it anew. */
    units: (): Unit[] =>
      (existsSync(join(folder, 'units')) ? readdirSync(join(folder, 'units')) : [])
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => read(decodeURIComponent(name.slice(0, -5))) ?? []),
    /** False when the name is taken. */
    add: (unit: Unit): boolean => {
      try {
        writeFileSync(unitFile(unit.name), JSON.stringify(unit), { flag: 'wx' });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    },
    change: (unit: Unit) => {
      const beside = `${unitFile(unit.name)}.${process.pid}`;
      writeFileSync(beside, JSON.stringify(unit));
      renameSync(beside, unitFile(unit.name));
    },
    forget: (name: string) => rmSync(unitFile(name), { force: true }),
    log: (argv: string[]) => appendFileSync(join(folder, 'calls.log'), `${JSON.stringify(argv)}\n`),
    calls: (): string[][] => {
      const file = join(folder, 'calls.log');
      if (!existsSync(file)) return [];
      return readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as string[]);
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
          if (claim(join(folder, 'fired', `${id}.${n}`))) return fault;
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

function claim(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    // Another caller took this firing: that is what the flag is for.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
