/** Three linters find nothing in the documents. Each rule that is off has its reason in the linter's configuration. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { required } from '../real/support/required.ts';
import { buildTool } from './tools.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const scratch = join(required('BOXGATE_CI_SCRATCH'), 'linters');
const documents = ['box', 'gateway'].map((service) => join(here, '..', '..', 'spec', `${service}.openapi.yaml`));

/** Runs a linter. If it finds something, the error has its output. */
async function lint(program: string, args: readonly string[]): Promise<void> {
  await run(program, [...args, ...documents], { cwd: here, env: quiet, maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}:\n${error.stdout}\n${error.stderr}`);
  });
}

const quiet = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const installed = (name: string) => join(scratch, 'node_modules', '.bin', name);

before(async () => {
  if (existsSync(installed('redocly')) && existsSync(installed('spectral'))) return;
  const packages = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', scratch];
  await run('npm', ['install', ...options, ...packages], { cwd: required('BOXGATE_CI_SCRATCH') });
});

test('Redocly, with its recommended rules', async () => {
  await lint(installed('redocly'), ['lint', '--config', join(here, 'redocly.yaml'), '--format', 'stylish']);
});

test('Spectral, with its rules for OpenAPI', async () => {
  await lint(installed('spectral'), ['lint', '--fail-severity', 'hint', '--ruleset', join(here, '.spectral.yaml')]);
});

/** Its build takes many minutes without Go's cache: it contains a user interface and a site generator. */
const onlyAtNight = process.env.BOXGATE_PLAN === 'run' ? 'the nightly run builds vacuum' : false;

test('vacuum, with its recommended rules', { skip: onlyAtNight }, async () => {
  const vacuum = await buildTool('vacuum');
  const configuration = ['--ruleset', join(here, 'vacuum.yaml'), '--ignore-file', join(here, 'vacuum-ignore.yaml')];
  const output = ['--details', '--no-style', '--no-banner', '--no-update-check'];
  await lint(vacuum, ['lint', '--fail-severity', 'warn', ...configuration, ...output]);
});
