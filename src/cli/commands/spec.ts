import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import { type Command, write } from '../command.ts';
import { isOn } from '../settings/parsers.ts';
import { read, row } from '../settings/setting.ts';

const json = row('--json', 'BOXGATE_SPEC_JSON', isOn, false, 'print it as JSON');

/** Prints the OpenAPI document of an API, for generators of clients. The build makes the JSON from the YAML. */
const spec = (service: 'box' | 'gateway'): Command => ({
  usage: `spec ${service}`,
  summary: `print the OpenAPI document of the ${service}'s API`,
  settings: { json },
  async run(call) {
    const form = read(json, call) ? 'json' : 'yaml';
    return write(readFileSync(join(packageRoot, 'spec', `${service}.openapi.${form}`), 'utf8'));
  },
});

export const specCommands: readonly Command[] = [spec('box'), spec('gateway')];
