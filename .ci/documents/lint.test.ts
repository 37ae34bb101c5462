/** Redocly finds nothing in the documents. A rule that is off has its reason in redocly.yaml. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { required } from '../real/support/required.ts';

const documents = ['box', 'console', 'gateway'].map((service) =>
  join(import.meta.dirname, '..', '..', 'spec', `${service}.openapi.yaml`),
);

test('Redocly, with its recommended rules', async () => {
  const options = ['--config', join(import.meta.dirname, 'redocly.yaml'), '--format', 'stylish'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  await promisify(execFile)('npx', ['--yes', '@redocly/cli@2.77.0', 'lint', ...options, ...documents], {
    cwd: required('BOXGATE_CI_SCRATCH'),
    env,
    maxBuffer: 2 ** 26,
  }).catch((error) => {
    throw new Error(`${error.message}:\n${error.stdout}\n${error.stderr}`);
  });
});
