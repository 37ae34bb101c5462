import { type NewUnit, restartPolicies } from './model.ts';

/** Service unit files: the settings that the fake supports, and those without effect here. */
export type ServiceSettings = {
  argv: string[];
  environment: Record<string, string>;
  restart?: NewUnit['restart'];
  restartSec?: number;
};

export class UnknownSetting extends Error {}

const ignored =
  /^(Documentation|Type|After|Before|Wants|WantedBy|KillMode|TimeoutStopSec|Slice|StandardOutput|StandardError|UMask)$/;

/** The text of a unit file, valid for real systemd too. */
export function unitFileText({ argv, environment, restart = 'on-failure', restartSec = 0.1 }: ServiceSettings) {
  const variables = Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`);
  const command = argv.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ');
  return ['[Service]', `ExecStart=${command}`, ...variables, `Restart=${restart}`, `RestartSec=${restartSec}`, ''].join(
    '\n',
  );
}

/** A unit with the default settings; `file` is `null` for a transient unit. */
export const newUnit = (name: string, file: string | null): NewUnit => ({
  name,
  description: name,
  argv: [],
  environment: {},
  workingDirectory: '/',
  collect: false,
  restart: 'no',
  restartSecMs: 100,
  file,
});

/** Parses a unit file. Throws `UnknownSetting` with the line. */
export function parseUnitFile(name: string, file: string, text: string): NewUnit {
  const unit = newUnit(name, file);
  for (const line of text.split('\n')) {
    if (/^\s*([#;[]|$)/.test(line)) continue;
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (!applySetting(unit, key, value) && !ignored.test(key)) throw new UnknownSetting(line);
  }
  return unit;
}

/** False for an unsupported setting. */
export function applySetting(unit: NewUnit, key: string, value: string): boolean {
  const policy = restartPolicies.find((known) => known === value);
  if (key === 'Description') unit.description = value;
  else if (key === 'WorkingDirectory') unit.workingDirectory = value;
  else if (key === 'ExecStart') unit.argv = words(value).map((word) => word.replaceAll('$$', '$'));
  else if (key === 'Restart' && policy !== undefined) unit.restart = policy;
  else if (key === 'RestartSec' && /^[\d.]+s?$/.test(value)) unit.restartSecMs = Number.parseFloat(value) * 1000;
  else if (key === 'Environment') {
    for (const word of words(value)) {
      const equals = word.indexOf('=');
      unit.environment[word.slice(0, equals)] = word.slice(equals + 1);
    }
  } else return false;
  return true;
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;

/** Splits at whitespace outside double quotes. */
function words(text: string): string[] {
  const found = text.match(/(?:"(?:\\.|[^"\\])*"|\\.|[^\s"\\])+/g) ?? [];
  return found.map((word) =>
    word
      .replaceAll(/"((?:\\.|[^"\\])*)"/g, '$1')
      .replaceAll(/\\(.)/g, '$1')
      .replaceAll('%%', '%'),
  );
}
