import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import { type Command, write } from '../command.ts';
import { given, isOn, once, type Setting } from '../settings/setting.ts';

const json: Setting<boolean> = {
  flag: '--json',
  variable: 'BOXGATE_SPEC_JSON',
  argument: null,
  help: 'print it as JSON',
  shownDefault: 'no',
  parse: once(isOn),
};

/** Prints the OpenAPI document of an API, for generators of clients. The build makes the JSON from the YAML. */
const spec = (service: 'box' | 'gateway'): Command => ({
  words: `spec ${service}`,
  summary: `print the OpenAPI document of the ${service}'s API`,
  settings: { json },
  async run(flags, _words, env) {
    const form = given(json, flags, env) ? 'json' : 'yaml';
    return write(readFileSync(join(packageRoot, 'spec', `${service}.openapi.${form}`), 'utf8'));
  },
});

export const specCommands: readonly Command[] = [spec('box'), spec('gateway')];
