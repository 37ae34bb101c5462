/**
 * The service manager as data: loaded units, all of them transient and of type `simple`. A unit that exits
 * cleanly is unloaded. A failed one stays loaded until `reset-failed`, unless it has `--collect`. These functions are
 * pure; the transport has files, processes and clocks.
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
};

/** A unit with the default settings. */
export const newUnit = (): NewUnit => ({
  name: '',
  description: '',
  argv: [],
  environment: {},
  workingDirectory: '/',
  collect: false,
  restart: 'no',
  restartSecMs: 100,
});

export type Unit = NewUnit & {
  activeState: ActiveState;
  subState: 'running' | 'auto-restart' | 'stop-sigterm' | 'failed' | 'dead';
  result: 'success' | 'exit-code' | 'signal';
  mainPid: number;
  execMainStatus: number;
  invocationId: string;
  nRestarts: number;
  /** Start times in ms since the last command. */
  starts: number[];
};

const startLimit = { burst: 5, withinMs: 10_000 };

/** The unit after its process ended; `null` if it is unloaded. */
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

/** The unit after the restart delay: restarted, or failed at the start limit; `null` if it is unloaded. */
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

/** Signals that count as a clean exit. */
const cleanSignals = new Set(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE']);

/** The full unit name; names without a suffix are services. */
export function unitName(name: string): string {
  return /\.(service|scope|timer|socket|target)$/.test(name) ? name : `${name}.service`;
}

/** The `ExecStart` property, without times and status. */
function execStart({ argv }: NewUnit): string {
  const times = 'start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0';
  return `{ path=${argv[0]} ; argv[]=${argv.join(' ')} ; ignore_errors=no ; ${times} }`;
}

/** The properties of `systemctl show`. */
export function unitProperties(name: string, unit: Unit | null): Record<string, string> {
  return {
    Id: name,
    Names: name,
    Description: unit?.description ?? name,
    LoadState: unit === null ? 'not-found' : 'loaded',
    ActiveState: unit?.activeState ?? 'inactive',
    SubState: unit?.subState ?? 'dead',
    Result: unit?.result ?? 'success',
    MainPID: String(unit?.mainPid ?? 0),
    ExecMainStatus: String(unit?.execMainStatus ?? 0),
    InvocationID: unit?.invocationId ?? '',
    NRestarts: String(unit?.nRestarts ?? 0),
    Restart: unit?.restart ?? 'no',
    Transient: unit === null ? 'no' : 'yes',
    Type: 'simple',
    ExecStart: unit === null ? '' : execStart(unit),
    FragmentPath: unit === null ? '' : `/run/systemd/transient/${name}`,
  };
}
