import { readdirSync, readFileSync } from 'node:fs';

/** The fields of /proc/PID/stat after the name, or undefined when there is no such process. */
function stat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}

/** A process and everything below it, parents first. */
export function processTree(pid: number): number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && stat(each)?.[1] === String(pid));
  return [pid, ...children.flatMap(processTree)];
}

/** The command and its arguments, separated by spaces; empty for a process that has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
