import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reconcile } from '../../box/engine/reconcile.ts';
import { needsBrowser } from '../../box/page/testing/browser.ts';
import { openConsole, roomsOf } from './testing/console-screen.ts';

const { BOXGATE_ARTEFACTS: artefacts } = process.env;
const skip = needsBrowser.skip || (artefacts === undefined ? 'there is no place for pictures' : false);

test('a picture of each room, to compare by eye with those of another commit', { ...needsBrowser, skip }, async (t) => {
  const screen = await openConsole(t, async ({ box, installed }) => {
    for (const app of ['notes', 'photos', 'old']) installed(app, { '.env': 'TITLE=a\n', '.env.bak': 'TITLE=b\n' });
    await reconcile(box, null);
    await box.trash.put('old');
  });
  const folder = join(artefacts ?? '', 'rooms');
  mkdirSync(folder, { recursive: true });
  for (const room of await roomsOf(screen, 'notes')) {
    await screen.open(room);
    await screen.page.screenshot({ path: join(folder, `${room.replace('/', '-') || 'apps'}.png`), fullPage: true });
  }
});
