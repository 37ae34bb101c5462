import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ComposeProject, type Containers, ContainersFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { withClosedPorts } from './closed-ports.ts';

const t = useTestBox();

/** The files with which Compose brings the app up. `takes`: what this Compose makes of an override. */
async function filesOfUp(app: string, takes: 'closes' | 'merges' | 'fails' = 'closes'): Promise<readonly string[]> {
  const seen: ComposeProject[] = [];
  const open = { target: 80, published: '8080', protocol: 'tcp' };
  const config = async ({ files }: ComposeProject) => {
    if (files.length > 1 && takes === 'fails') throw new ContainersFailed('web conflicts with an included one', false);
    const ports =
      files.length === 1 ? [open] : [...(takes === 'merges' ? [open] : []), { ...open, host_ip: '127.0.0.1' }];
    return { config: { services: { web: { ports } } } };
  };
  const up = async (project: ComposeProject) => {
    seen.push(project);
  };
  const directory = t.box.folders.path(app);
  const containers = withClosedPorts({ up, config } as unknown as Containers, t.box);
  await containers.up({ project: app, directory, files: [`${directory}/compose.yaml`], envFile: null });
  return (seen[0]?.files ?? []).slice(1);
}

const closing = (except: string[] = []) =>
  t.box.https.keep({
    domain: 'box.example.org',
    certificate: { by: 'local' },
    caddyfile: '/Caddyfile',
    login: null,
    closing: { except },
  });

test('closes the port of an app that has a name, unless the owner or Compose does not', async () => {
  const manifest = (name: string) =>
    JSON.stringify({ name, version: '1', ports: [{ port: 80, protocol: 'http' }], settings: [] });
  for (const name of ['Notes', 'notes', 'tv']) t.installed(name, { 'manifest.json': manifest(name) });
  t.installed('game', { 'manifest.json': JSON.stringify({ name: 'game', version: '1', ports: [80], settings: [] }) });
  assert.deepEqual(await filesOfUp('Notes'), []);
  await t.box.https.makeFolder();
  await closing(['tv']);
  const [file = ''] = await filesOfUp('Notes');
  assert.match(readFileSync(file, 'utf8'), /"host_ip":"127\.0\.0\.1"/);
  // The name is that of another app; its port stays open; it has no page for a browser; it is no installed app.
  for (const app of ['notes', 'tv', 'game', 'elsewhere']) assert.deepEqual(await filesOfUp(app), [], app);
  assert.deepEqual(t.warnings, []);
  for (const takes of ['merges', 'fails'] as const) assert.deepEqual(await filesOfUp('Notes', takes), [], takes);
  assert.match(t.warnings.join('\n'), /the port of Notes stays open/);
});
