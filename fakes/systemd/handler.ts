import { type NewUnit, newUnit, restartPolicies, type Unit, unitName, unitProperties } from './model.ts';

/**
 * Parses command lines and answers with the messages and statuses of systemd 252. Unknown flags and commands get status
 * 125 and a message, so that a gap is never mistaken for an answer.
 */
export type Answer = { status: number; stdout?: string; stderr?: string };

/** The machine as the handlers need it. */
export type Machine = {
  units: () => Unit[];
  unit: (name: string) => Unit | null;
  /** Starts the unit; false if the name is in use. */
  start: (unit: NewUnit) => Promise<boolean>;
  /** Stops the unit's processes and waits for their end. */
  stop: (name: string) => Promise<void>;
  forget: (name: string) => void;
  change: (unit: Unit) => void;
  findProgram: (name: string) => string | null;
  callerEnvironment: Record<string, string | undefined>;
  nowMs: () => number;
};

const unknown = (tool: string, what: string): Answer => ({
  status: 125,
  stderr: `${tool} (fake): not known here: ${what}\n`,
});

const flagsWithValue = new Set(['--unit', '-u', '--setenv', '-E', '--property', '-p', '--description']);
const flagsWithout = new Set([
  '--collect',
  '-G',
  '--no-block',
  '--quiet',
  '-q',
  '--system',
  '--user',
  '--no-ask-password',
]);
const knownProperties =
  /^(Type=(simple|exec)|Restart=(no|on-failure|on-abnormal|always)|(Description|WorkingDirectory|KillMode|TimeoutStartSec|TimeoutStopSec|RuntimeMaxSec|CollectMode|Nice|UMask|SyslogIdentifier|After|Environment|RestartSec|OOMScoreAdjust|StandardOutput|StandardError|Delegate|PrivateTmp)=.*)$/s;

/** systemd-run: starts a transient service, detached from the caller. */
export async function systemdRun(argv: string[], machine: Machine): Promise<Answer> {
  const unit = newUnit();
  let quiet = false;
  const queue = [...argv];
  while (queue[0]?.startsWith('-')) {
    const word = queue.shift() ?? '';
    if (word === '--') break;
    const [flag, inline] = splitFlag(word);
    if (flagsWithout.has(flag)) {
      if (flag === '--collect' || flag === '-G') unit.collect = true;
      if (flag === '--quiet' || flag === '-q') quiet = true;
      continue;
    }
    if (!flagsWithValue.has(flag)) return unknown('systemd-run', word);
    const value = inline ?? queue.shift() ?? '';
    if (flag === '--unit' || flag === '-u') unit.name = unitName(value);
    else if (flag === '--description') unit.description = value;
    else if (flag === '--setenv' || flag === '-E') setVariable(unit.environment, value, machine);
    else if (!knownProperties.test(value)) return unknown('systemd-run', `${flag} ${value}`);
    else applyProperty(value, unit);
  }
  const [program, ...rest] = queue;
  if (program === undefined) return { status: 1, stderr: 'Command line to execute required.\n' };
  const path = machine.findProgram(program);
  if (path === null) {
    return { status: 1, stderr: `Failed to find executable ${program}: No such file or directory\n` };
  }
  if (unit.name === '') unit.name = `run-r${machine.nowMs().toString(16)}${process.pid}.service`;
  unit.argv = [path, ...rest];
  if (unit.description === '') unit.description = unit.argv.join(' ');
  if (!(await machine.start(unit))) {
    const taken = `Unit ${unit.name} was already loaded or has a fragment file.`;
    return { status: 1, stderr: `Failed to start transient service unit: ${taken}\n` };
  }
  return { status: 0, stderr: quiet ? '' : `Running as unit: ${unit.name}\n` };
}

function splitFlag(word: string): [string, string | undefined] {
  if (/^-[uEp]./.test(word)) return [word.slice(0, 2), word.slice(2)];
  const equals = word.indexOf('=');
  return equals < 0 || !word.startsWith('--') ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** `--setenv NAME` passes the caller's value. */
function setVariable(environment: Record<string, string>, text: string, machine: Machine) {
  const equals = text.indexOf('=');
  if (equals >= 0) environment[text.slice(0, equals)] = text.slice(equals + 1);
  else if (machine.callerEnvironment[text] !== undefined) {
    environment[text] = machine.callerEnvironment[text] ?? '';
  }
}

function applyProperty(text: string, unit: NewUnit) {
  const equals = text.indexOf('=');
  const [key, value] = [text.slice(0, equals), text.slice(equals + 1)];
  const policy = restartPolicies.find((known) => known === value);
  if (key === 'CollectMode' && value === 'inactive-or-failed') unit.collect = true;
  else if (key === 'Description') unit.description = value;
  else if (key === 'WorkingDirectory') unit.workingDirectory = value;
  else if (key === 'Restart' && policy !== undefined) unit.restart = policy;
  else if (key === 'RestartSec' && /^[\d.]+s?$/.test(value)) unit.restartSecMs = Number.parseFloat(value) * 1000;
  else if (key === 'Environment') {
    for (const word of words(value)) {
      const end = word.indexOf('=');
      unit.environment[word.slice(0, end)] = word.slice(end + 1);
    }
  }
}

/** Splits at whitespace outside double quotes. */
function words(text: string): string[] {
  const found = text.match(/(?:"(?:\\.|[^"\\])*"|\\.|[^\s"\\])+/g) ?? [];
  return found.map((word) => word.replaceAll(/"((?:\\.|[^"\\])*)"/g, '$1').replaceAll(/\\(.)/g, '$1'));
}

export async function systemctl(argv: string[], machine: Machine): Promise<Answer> {
  const words: string[] = [];
  const properties: string[] = [];
  const asked = { value: false, quiet: false };
  const queue = [...argv];
  while (queue.length > 0) {
    const word = queue.shift() ?? '';
    const [flag, inline] = splitFlag(word);
    if (!word.startsWith('-')) words.push(word);
    else if (flag === '-p' || flag === '--property') {
      properties.push(...(inline ?? queue.shift() ?? '').split(','));
    } else if (flag === '--value') asked.value = true;
    else if (flag === '--quiet' || flag === '-q') asked.quiet = true;
    else if (!ignorable.has(flag)) return unknown('systemctl', word);
  }
  const [verb, ...names] = words;
  const units = names.map(unitName);
  if (verb === 'daemon-reload') return { status: 0 };
  if (verb === 'list-units' || verb === undefined) return listUnits(machine);
  const one = verbs[verb];
  if (one === undefined) return unknown('systemctl', verb);
  if (verb === 'reset-failed' && units.length === 0) {
    for (const unit of machine.units()) if (unit.activeState === 'failed') machine.forget(unit.name);
    return { status: 0 };
  }
  if (units.length === 0) return { status: 1, stderr: 'Too few arguments.\n' };
  const answers: Answer[] = [];
  for (const name of units) answers.push(await one(name, machine, { properties, ...asked }));
  return {
    status: answers.reduce((worst, answer) => Math.max(worst, answer.status), 0),
    stdout: answers.map((answer) => answer.stdout ?? '').join(verb === 'show' ? '\n' : ''),
    stderr: answers.map((answer) => answer.stderr ?? '').join(''),
  };
}

const ignorable = new Set([
  '--no-pager',
  '--no-legend',
  '--plain',
  '--system',
  '--user',
  '--no-ask-password',
  '--no-block',
  '--all',
  '-a',
  '--full',
  '-l',
  '--type',
  '--state',
  '--no-warn',
]);

type Asked = { properties: string[]; value: boolean; quiet: boolean };

const verbs: Record<string, (name: string, machine: Machine, asked: Asked) => Answer | Promise<Answer>> = {
  'is-active': (name, machine, asked) => {
    const state = machine.unit(name)?.activeState ?? 'inactive';
    return { status: state === 'active' ? 0 : 3, stdout: asked.quiet ? '' : `${state}\n` };
  },
  'is-failed': (name, machine, asked) => {
    const state = machine.unit(name)?.activeState ?? 'inactive';
    return { status: state === 'failed' ? 0 : 1, stdout: asked.quiet ? '' : `${state}\n` };
  },
  show: (name, machine, asked) => {
    const all = unitProperties(name, machine.unit(name));
    const keys = asked.properties.length > 0 ? asked.properties : Object.keys(all);
    const missing = keys.find((key) => all[key] === undefined);
    if (missing !== undefined) return unknown('systemctl', `show -p ${missing}`);
    // An empty list has no line.
    const shown = keys.filter((key) => key !== 'ExecStart' || all[key] !== '');
    const lines = shown.map((key) => (asked.value ? `${all[key]}\n` : `${key}=${all[key]}\n`));
    return { status: 0, stdout: lines.join('') };
  },
  status: (name, machine) => {
    const shown = unitProperties(name, machine.unit(name));
    if (shown.LoadState !== 'loaded') return { status: 4, stderr: `Unit ${name} could not be found.\n` };
    const line = `● ${name} - ${shown.Description}\n     Loaded: loaded (${shown.FragmentPath}; transient)\n`;
    const active = `     Active: ${shown.ActiveState} (${shown.SubState})\n   Main PID: ${shown.MainPID}\n`;
    return { status: shown.ActiveState === 'active' ? 0 : 3, stdout: line + active };
  },
  'reset-failed': (name, machine) => {
    const unit = machine.unit(name);
    if (unit === null) {
      return {
        status: 1,
        stderr: `Failed to reset failed state of unit ${name}: Unit ${name} not loaded.\n`,
      };
    }
    if (unit.activeState === 'failed') machine.forget(name);
    else machine.change({ ...unit, starts: [], nRestarts: 0 });
    return { status: 0 };
  },
  stop: async (name, machine) => {
    if (machine.unit(name) === null) {
      return { status: 5, stderr: `Failed to stop ${name}: Unit ${name} not loaded.\n` };
    }
    await machine.stop(name);
    return { status: 0 };
  },
  start: (name, machine) => (machine.unit(name)?.activeState === 'active' ? { status: 0 } : notFound('start', name)),
  restart: async (name, machine) => {
    const unit = machine.unit(name);
    if (unit === null || unit.activeState === 'failed') return notFound('restart', name);
    await machine.stop(name);
    // Another caller may have started it meanwhile.
    await machine.start(unit);
    return { status: 0 };
  },
};

const notFound = (verb: string, name: string): Answer => ({
  status: 5,
  stderr: `Failed to ${verb} ${name}: Unit ${name} not found.\n`,
});

function listUnits(machine: Machine): Answer {
  const lines = machine
    .units()
    .map((unit) => `${unit.name} loaded ${unit.activeState} ${unit.subState} ${unit.description}\n`);
  return { status: 0, stdout: lines.join('') };
}
