import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startStubBox, stubApp } from '../../../src/box/page/testing/stub-server.ts';
import { isIn, openScreen, shots } from './screen.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'box', 'sample-apps');
const samples = readdirSync(folder).map((name) => {
  const manifest = JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8'));
  const icon_svg = readFileSync(join(folder, name, manifest.icon), 'utf8');
  return stubApp(name, { ...manifest, icon_svg, has_settings: manifest.settings?.length > 0 });
});
const sample = (name: string) => samples.find((app) => app.name === name) ?? stubApp(name);
const ports = (name: string) =>
  sample(name).ports.map((port) => ({ port: typeof port === 'number' ? port : port.port, label: '' }));

/** When the page has changed, a person copies this picture to deploy/screenshot.png. */
test('a picture of the page for the README', async (t) => {
  const box = await startStubBox();
  t.after(() => box.close());
  const installed: [name: string, newer: string | null][] = [
    ['miniflux', null],
    ['pihole', '2026.11.0'],
    ['uptime-kuma', null],
    ['vaultwarden', null],
  ];
  box.installed = installed.map(([name, available_version]) => ({
    ...sample(name),
    ok: true,
    state_detail: 'Running since 2026-11-21 10:32 UTC.',
    open_ports: ports(name).slice(0, 1),
    available_version,
  }));
  box.bundled = samples.filter(({ name }) => !installed.some(([used]) => used === name));
  const { page, app } = await openScreen(t, `${box.url}apps`, 1280, 860);
  await isIn(app('miniflux'), 'Running');
  await page.screenshot({ path: join(shots, 'readme.png') });
});
