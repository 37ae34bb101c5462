import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { container, containers, docker, environment, forget, imageId, volumes } from '../support/programs/docker.ts';
import { moveTag, newTag, notesCompose, registry } from '../support/programs/registry.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';
import { choose, openScreen, phone, press, says } from './screen.ts';

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
  await card.getByRole('button', { name: 'Install Garden notes', exact: true }).waitFor();
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

  const link = card.getByRole('link', { name: 'Garden notes' });
  const address = new URL((await link.getAttribute('href')) ?? '');
  assert.equal(address.port, String(port));
  assert.equal(await pageAt(address), 'web 1\n');
  docker('exec', web.id, 'sh', '-c', 'echo kept >/data/note');

  await choose(card, 'Settings Garden notes');
  await dialog.getByLabel('Notes a page').waitFor();
  await dialog.getByLabel('Notes a page').fill('50');
  await shot('settings-form');
  await press(dialog, 'Save settings');
  await says(card, /^Settings saved/);
  const changed = environment(container(name, 'web').id);
  assert.deepEqual([changed.get('LIMIT'), changed.get('ADMIN_PASSWORD')], ['50', secret]);

  await moveTag(tag, '2');
  await choose(card, 'Update Garden notes');
  await says(card, /^Updated/);
  await shot('updated');
  assert.equal(container(name, 'web').image, imageId(`${registry}/web:${tag}`));
  assert.equal(await pageAt(address), 'web 2\n');
  await choose(card, 'Update Garden notes');
  await says(card, /^Nothing newer/);

  const { id } = container(name, 'web');
  await choose(card, 'Repair with a reinstall that keeps its data Garden notes');
  await says(card, /^Repaired/);
  assert.equal(container(name, 'web').id, id, 'nothing changed, so the container is the same');

  await choose(card, 'Remove Garden notes');
  await dialog.getByText('It stops, and leaves this list.').waitFor();
  await shot('remove-question');
  await page.keyboard.press('Escape');
  assert.equal(containers(name).length, 1, 'Escape removes nothing');
  await choose(card, 'Remove Garden notes');
  await press(dialog, 'Remove');
  await card.getByRole('button', { name: 'Install Garden notes', exact: true }).waitFor();
  await shot('removed');
  assert.deepEqual(containers(name), []);
  assert.deepEqual(volumes(name), [`${name}_notes`]);
});
