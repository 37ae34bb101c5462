import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { GatewayContext } from '../checks/gateway/context.ts';
import { textsOf } from '../checks/gateway/results.ts';
import { type Check, check } from '../kernel/check.ts';
import { bearer } from '../kernel/exchange.ts';
import { CheckFailed, record } from '../kernel/expect.ts';
import { runConformance } from '../main.ts';
import { reports } from './reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-secrets-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const boxgate = join(import.meta.dirname, '..', '..', 'src', 'cli', 'boxgate.cjs');

/** Runs a failing check and returns all reports about it. */
async function reportsOf(failing: Check<GatewayContext>): Promise<string[]> {
  const files = Object.keys(reports).map((format) => join(folder, `report.${format}`));
  const status = await runConformance({
    api: 'gateway',
    exec: `'${process.execPath}' '${boxgate}' gateway serve`,
    checks: [failing],
    report: Object.keys(reports).map((format, index) => `${format}=${files[index]}`),
    write: () => {},
  });
  assert.equal(status, 1);
  return files.map((file) => readFileSync(file, 'utf8'));
}

/** The secrets of an environment and its gateway, and the error of the check. */
async function secretsOf(gateway: GatewayContext): Promise<{ secrets: string[]; told: unknown }> {
  const { environment } = gateway;
  const answer = await gateway.register();
  const result = record(answer);
  const texts = textsOf(result);
  const keys = texts.flatMap(([, text]) =>
    [...text.matchAll(/^(?:PrivateKey|PresharedKey)\s*=\s*(\S+)/gm)].map(([, key = '']) => key),
  );
  const box = { id: String(result.box_id), token: String(result.box_token) };
  const rotated = await gateway.post(`/v1/boxes/${box.id}/rotate-token`, undefined, bearer(box.token));
  const secrets = [
    environment.registrationToken,
    environment.manager.password,
    box.token,
    String(record(rotated).box_token),
    ...keys,
  ];
  return { secrets, told: { result, rotated: rotated.text, environment: environment.env() } };
}

test('no report contains the secrets of an environment or of its gateway, not even in cut texts', async () => {
  const seen: string[] = [];
  const leak = check<GatewayContext>('gateway/test/leak', ['gateway/service/1'], 'leaks', async (gateway) => {
    const { secrets, told } = await secretsOf(gateway);
    seen.push(...secrets);
    const text = JSON.stringify(told);
    throw new CheckFailed(`everything: ${text}`, told, `cut: ${text.slice(0, text.indexOf(secrets[2] ?? '') + 20)}`);
  });
  const texts = await reportsOf(leak);
  assert.ok(seen.length >= 5 && seen.every((secret) => secret.length >= 12), 'the check learned its secrets');
  for (const text of texts) {
    assert.ok(text.includes('[secret]'), 'what is hidden is seen to be');
    for (const secret of seen) assert.ok(!text.includes(secret.slice(0, 12)), text.slice(0, 400));
  }
});
