/**
 * The service manager as data: units that are loaded, and what happens to them. They are transient or have a unit file,
 * and are always of the type `simple`. A unit that ended well is unloaded at once; one that failed stays loaded until
 * `reset-failed`, unless it was started with `--collect`. Plain functions over plain state: files, processes
 * and clocks are the transport's.
 */
export type ActiveState = 'active' | 'activating' | 'deactivating' | 'failed' | 'inactive';

export const restartPolicies = ['no', 'on-failure', 'on-abnormal', 'always'] as const;

/** The settings of a unit, without its state. */
export type NewUnit = {
  name: string;
  description: string;
  argv: string[];
  environment: Record<string, string>;
  workingDirectory: string;
  collect: boolean;
  restart: (typeof restartPolicies)[number];
  restartSecMs: number;
  /** The unit file, or null for a transient unit. */
  file: string | null;
};

export type Unit = NewUnit & {
  activeState: ActiveState;
  subState: 'running' | 'auto-restart' | 'stop-sigterm' | 'failed' | 'dead';
  result: 'success' | 'exit-code' | 'signal';
  mainPid: number;
  execMainStatus: number;
  invocationId: string;
  nRestarts: number;
  /** When the manager started it by itself or by a command, in ms; a command begins the list anew. */
  starts: number[];
};

const startLimit = { burst: 5, withinMs: 10_000 };

/** What remains of a unit after its process ended, or null when it is unloaded. */
export function afterExit(unit: Unit, status: number | null, signal: string | null): Unit | null {
  const failed = signal === null ? status !== 0 : !cleanSignals.has(signal);
  if (unit.activeState === 'deactivating') return null;
  const ended = {
    ...unit,
    result: failed ? (signal === null ? ('exit-code' as const) : ('signal' as const)) : ('success' as const),
    mainPid: 0,
    execMainStatus: status ?? 0,
  };
  if (isRestarted(unit, failed, signal)) {
    return { ...ended, activeState: 'activating', subState: 'auto-restart' };
  }
  return failed && !unit.collect ? { ...ended, activeState: 'failed', subState: 'failed' } : null;
}

function isRestarted({ restart }: Unit, failed: boolean, signal: string | null): boolean {
  if (restart === 'always') return true;
  return failed && (restart === 'on-failure' || (restart === 'on-abnormal' && signal !== null));
}

/** A unit that is restarted by itself, or failed when it was started too often; null when that one is unloaded. */
export function afterWait(unit: Unit, nowMs: number): Unit | null {
  const starts = unit.starts.filter((start) => nowMs - start < startLimit.withinMs);
  const counted = { ...unit, nRestarts: unit.nRestarts + 1 };
  if (starts.length >= startLimit.burst) {
    return unit.collect ? null : { ...counted, activeState: 'failed', subState: 'failed' };
  }
  return { ...counted, ...begun(), starts: [...starts, nowMs] };
}

/** The state of a unit whose process is about to start. */
export const begun = () =>
  ({ activeState: 'active', subState: 'running', result: 'success', mainPid: 0, execMainStatus: 0 }) as const;

/** Whether systemd refuses a command to start it, until `reset-failed`. */
export const isLimited = ({ activeState, starts }: Unit, nowMs: number) =>
  activeState === 'failed' &&
  starts.filter((start) => nowMs - start < startLimit.withinMs).length >= startLimit.burst;

/** The signals that systemd counts as a clean end of a service. */
const cleanSignals = new Set(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE']);

/** The full name of a unit: a name without a known ending is a service. */
export function unitName(name: string): string {
  return /\.(service|scope|timer|socket|target)$/.test(name) ? name : `${name}.service`;
}

/** A command as `systemctl show` has it, without what became of it. */
function execStart({ argv }: NewUnit): string {
  const times = 'start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0';
  return `{ path=${argv[0]} ; argv[]=${argv.join(' ')} ; ignore_errors=no ; ${times} }`;
}

/** The properties that `systemctl show` prints; `file` is that of a unit which is not loaded. */
export function unitProperties(
  name: string,
  unit: Unit | null,
  file: NewUnit | null,
): Record<string, string> {
  const known = unit ?? file;
  return {
    Id: name,
    Names: name,
    Description: known?.description ?? name,
    LoadState: known === null ? 'not-found' : 'loaded',
    ActiveState: unit?.activeState ?? 'inactive',
    SubState: unit?.subState ?? 'dead',
    Result: unit?.result ?? 'success',
    MainPID: String(unit?.mainPid ?? 0),
    ExecMainStatus: String(unit?.execMainStatus ?? 0),
    InvocationID: unit?.invocationId ?? '',
    NRestarts: String(unit?.nRestarts ?? 0),
    Restart: known?.restart ?? 'no',
    Transient: known === null || known.file !== null ? 'no' : 'yes',
    Type: 'simple',
    ExecStart: known === null ? '' : execStart(known),
    FragmentPath: known === null ? '' : (known.file ?? `/run/systemd/transient/${name}`),
  };
}
