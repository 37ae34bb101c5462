import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { container, containers, docker, environment, forget, imageId, volumes } from '../support/docker.ts';
import { moveTag, newTag, notesCompose, registry } from '../support/registry.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';
import { isIn, openScreen, phone, press, says, sizes } from './screen.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><defs><linearGradient id="g"><stop stop-color="#4ade80"/><stop offset="1" stop-color="#0ea5e9"/></linearGradient></defs><rect x="2" y="2" width="20" height="20" rx="6" fill="url(#g)"/><path d="M7 13l3 3 7-8" stroke="#0b1220" stroke-width="2.5" fill="none"/></svg>`;

function noteApp(name: string, tag: string, port: number): AppFiles {
  return {
    compose: notesCompose(tag, port),
    manifest: {
      display_name: 'Garden notes',
      description: 'Short notes, kept on your own box.',
      description_long: 'Write short notes and find them again. They stay in a volume of their own.',
      icon: 'icon.svg',
      ports: [{ port, label: 'Web' }],
      settings: [
        { name: 'TITLE', label: 'Title', description: 'Shown above the notes.', type: 'text', required: true },
        { name: 'ADMIN_PASSWORD', label: 'Administrator password', type: 'password', required: true },
        { name: 'LIMIT', label: 'Notes a page', type: 'number', default: '20' },
      ],
    },
    files: { 'icon.svg': icon, '.env.example': `# ${name}\nTITLE=\nADMIN_PASSWORD=change-me\nLIMIT=20\n` },
  };
}

test('an owner installs, sets, updates, reinstalls and removes an app on a phone', async (t) => {
  const name = 'real-page-phone';
  const tag = newTag('page');
  const port = await freePort();
  await moveTag(tag, '1');
  const box = await startBox(t, {
    [name]: noteApp(name, tag, port),
    'real-page-other': {
      compose: `services: { web: { image: "${registry}/web:3" } }`,
      manifest: { display_name: 'Other' },
    },
  });
  t.after(() => forget([name]));
  const { page, app, shot } = await openScreen(t, `${box.url}/apps`, ...phone);
  const card = app(name);
  await card.getByRole('button', { name: 'Install Garden notes' }).waitFor();
  await shot('available');

  await press(card, 'Install Garden notes');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Beans & "peas" $5');
  const password = dialog.getByRole('textbox', { name: 'Administrator password' });
  await press(dialog, 'Generate a password for Administrator password');
  const secret = await password.inputValue();
  assert.ok(secret.length >= 16);
  await shot('install-form');
  await press(dialog, 'Install');
  await says(card, /^Installed/);
  await shot('installed');
  const web = container(name, 'web');
  const seen = environment(web.id);
  assert.deepEqual(
    [seen.get('TITLE'), seen.get('ADMIN_PASSWORD'), seen.get('LIMIT')],
    ['Beans & "peas" $5', secret, '20'],
  );
  assert.ok(!(await page.content()).includes(secret), 'the password is nowhere in the page');

  const link = card.getByRole('link', { name: /^Open Garden notes/ });
  const address = new URL((await link.getAttribute('href')) ?? '');
  assert.equal(address.port, String(port));
  assert.equal(await pageAt(address), 'web 1\n');
  docker('exec', web.id, 'sh', '-c', 'echo kept >/data/note');

  await press(card, 'Settings Garden notes');
  await dialog.getByLabel('Notes a page').waitFor();
  await dialog.getByLabel('Notes a page').fill('50');
  await shot('settings-form');
  await press(dialog, 'Save settings');
  await says(card, /^Settings saved/);
  const changed = environment(container(name, 'web').id);
  assert.deepEqual([changed.get('LIMIT'), changed.get('ADMIN_PASSWORD')], ['50', secret]);

  await moveTag(tag, '2');
  await press(card, 'Update Garden notes');
  await says(card, /^Updated/);
  await shot('updated');
  assert.equal(container(name, 'web').image, imageId(`${registry}/web:${tag}`));
  assert.equal(await pageAt(address), 'web 2\n');
  await press(card, 'Update Garden notes');
  await says(card, /^Nothing newer/);

  const { id } = container(name, 'web');
  await press(card, 'Reinstall Garden notes');
  await says(card, /^Reinstalled/);
  assert.equal(container(name, 'web').id, id, 'nothing changed, so the container is the same');

  await press(card, 'Remove Garden notes');
  await dialog.getByText('Stays').waitFor();
  await shot('remove-question');
  await page.keyboard.press('Escape');
  assert.equal(containers(name).length, 1, 'Escape removes nothing');
  await press(card, 'Remove Garden notes');
  await press(dialog, 'Remove');
  await card.getByRole('button', { name: 'Install Garden notes' }).waitFor();
  await shot('removed');
  assert.deepEqual(containers(name), []);
  assert.deepEqual(volumes(name), [`${name}_notes`]);
});

test('what goes wrong is told on the card: a refusal, an app that does not come up, a stopped server', async (t) => {
  const box = await startBox(t, {
    'real-page-refused': {
      compose: `services: { web: { image: "${registry}/web:1" } }`,
      manifest: { display_name: 'Vault', settings: [{ name: 'KEY', label: 'Key', type: 'text' }] },
      files: { '.env.example': 'KEY=change-me\n' },
    },
    'real-page-absent': {
      compose: `services: { web: { image: "${registry}/web:absent" } }`,
      manifest: { display_name: 'Absent' },
    },
  });
  const { page, app, shot } = await openScreen(t, `${box.url}/apps`, 1280, 900);
  const dialog = page.getByRole('dialog');
  const vault = app('real-page-refused');
  const absent = app('real-page-absent');
  await press(vault, 'Install Vault');
  await press(dialog, 'Install');
  await dialog.getByText(/refused.*KEY/).waitFor();
  await press(dialog, 'Cancel');
  await says(vault, /refused.*KEY/);
  await press(absent, 'Install Absent');
  await press(dialog, 'Install');
  await says(absent, /did not come up/);
  await shot('trouble');
  assert.deepEqual(containers('real-page-refused'), []);

  await box.stop();
  await press(absent, 'Update Absent');
  await says(absent, /connection|reach|answer/i);
});

for (const [width, height] of sizes) {
  test(`each app's card follows what its containers do, at ${width} pixels`, async (t) => {
    const [runs, stops, loops] = [`real-page-runs-${width}`, `real-page-stops-${width}`, `real-page-loops-${width}`];
    const port = await freePort();
    const web = (more: string) => ({
      compose: `services: { web: { image: "${registry}/web:1", ports: ["127.0.0.1:${port}:8080"], ${more} } }`,
    });
    const quiet = { compose: `services: { web: { image: "${registry}/web:1", restart: unless-stopped } }` };
    const box = await startBox(t, {
      [runs]: web('restart: unless-stopped'),
      [stops]: { ...quiet, manifest: { display_name: 'Stops' } },
      [loops]: {
        compose: `
services:
  web: { image: "${registry}/web:1", restart: unless-stopped, entrypoint: [sh, -c, "echo no disk >&2; exit 3"] }
`,
        manifest: { display_name: 'Loops' },
      },
    });
    for (const name of [runs, stops]) assert.equal((await box.install(name)).status, 200);
    const { page, app, shot } = await openScreen(t, `${box.url}/apps`, width, height);
    const dialog = page.getByRole('dialog');
    await press(app(loops), 'Install Loops');
    await press(dialog, 'Install');
    await says(app(loops), /^Installed in .*, but this app did not come up/);
    assert.match((await app(loops).locator('.output').textContent()) ?? '', /no disk/);
    await isIn(app(loops), 'Keeps restarting');
    await isIn(app(runs), 'Running');
    const link = app(runs).getByRole('link', { name: /^Open/ });
    assert.equal(new URL((await link.getAttribute('href')) ?? '').port, String(port));

    docker('stop', '--time', '0', container(stops, 'web').id);
    await isIn(app(stops), 'Stopped');
    assert.match((await app(stops).locator('.state-detail').textContent()) ?? '', /exit code 137/);
    assert.equal(await app(stops).getByRole('link').count(), 0);
    await shot('real-states');
    await press(app(stops), 'Start Stops');
    await says(app(stops), /^Started/);
    await isIn(app(stops), 'Running');
    assert.equal(container(stops, 'web').status, 'running');

    await box.stop();
    await page.locator('#notice', { hasText: 'The box does not answer.' }).waitFor();
    box.env = { DOCKER_HOST: `unix://${box.folder}/no-engine.sock` };
    await box.start();
    await page.locator('#notice', { hasText: 'Docker does not answer' }).waitFor();
    await isIn(app(runs), 'State not known');
    await shot('real-docker-down');
  });
}
