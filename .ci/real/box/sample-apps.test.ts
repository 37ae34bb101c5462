import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { required } from '../support/required.ts';

const apps = join(import.meta.dirname, '..', '..', '..', 'src', 'box', 'sample-apps');

type Service = { ports?: { published?: string }[] };

for (const name of readdirSync(apps)) {
  test(`${name} is valid under the real Compose, and publishes the ports that its manifest declares`, (t) => {
    const folder = mkdtempSync(join(required('BOXGATE_REAL'), 'sample-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const cwd = join(folder, name);
    cpSync(join(apps, name), cwd, { recursive: true });
    if (existsSync(join(cwd, '.env.example'))) copyFileSync(join(cwd, '.env.example'), join(cwd, '.env'));
    // If this fails, the error contains Compose's message from standard error.
    const text = execFileSync('docker', ['compose', 'config', '--format', 'json'], { cwd, encoding: 'utf8' });
    const config = JSON.parse(text) as { name: string; services: Record<string, Service> };
    assert.equal(config.name, name);

    const manifest = JSON.parse(readFileSync(join(cwd, 'manifest.json'), 'utf8'));
    const published = Object.values(config.services).flatMap((service) =>
      (service.ports ?? []).map((port) => Number(port.published)),
    );
    const declared = manifest.ports.map((port: number | { port: number }) =>
      typeof port === 'number' ? port : port.port,
    );
    for (const port of declared) assert.ok(published.includes(port), `${port} is declared, ${published} are published`);
  });
}
