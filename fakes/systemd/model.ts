/**
 * The service manager as data: units that are loaded, and what happens to them. Transient units only, and
 * always of the type `simple`. A unit that ended well is unloaded at once; one that failed stays loaded until
 * `reset-failed`, unless it was started with `--collect`. Plain functions over plain state: files, processes
 * and clocks are the transport's.
 */
export type ActiveState = 'active' | 'failed' | 'inactive';

export type Unit = {
  name: string;
  description: string;
  argv: string[];
  environment: Record<string, string>;
  workingDirectory: string;
  collect: boolean;
  activeState: ActiveState;
  subState: 'running' | 'failed' | 'dead';
  result: 'success' | 'exit-code' | 'signal';
  mainPid: number;
  execMainStatus: number;
  invocationId: string;
};

/** What remains of a unit after its process ended, or null when it is unloaded. */
export function afterExit(unit: Unit, status: number | null, signal: string | null): Unit | null {
  const failed = signal === null ? status !== 0 : !cleanSignals.has(signal);
  if (!failed || unit.collect) return null;
  return {
    ...unit,
    activeState: 'failed',
    subState: 'failed',
    result: signal === null ? 'exit-code' : 'signal',
    mainPid: 0,
    execMainStatus: status ?? 0,
  };
}

/** The signals that systemd counts as a clean end of a service. */
const cleanSignals = new Set(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE']);

/** The full name of a unit: a name without a known ending is a service. */
export function unitName(name: string): string {
  return /\.(service|scope|timer|socket|target)$/.test(name) ? name : `${name}.service`;
}

/** The properties that `systemctl show` prints, in the order asked. */
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
    Transient: unit === null ? 'no' : 'yes',
    Type: 'simple',
    FragmentPath: unit === null ? '' : `/run/systemd/transient/${name}`,
  };
}
