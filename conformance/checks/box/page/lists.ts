import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches } from '../../../kernel/expect.ts';
import type { BoxContext } from '../context.ts';
import { coloursOf, listOf } from './dom.ts';
import { buttons } from './elements.ts';
import { onPage } from './management-page.ts';
import { harbour, lagoon, mole, quay, settings, shelf } from './shelf.ts';

const apps = [harbour, lagoon, mole, quay];

/** Half of the light between black and white, as a screen has it. */
const middle = 128;

export const checks: Check<BoxContext>[] = [
  check(
    'box/page/lists',
    ['box/page/3'],
    'loads both lists, and shows each app below the title of its list',
    (box) =>
      onPage(box, async ({ card, requests }) => {
        for (const { title } of [harbour, lagoon])
          equal(`the list of ${title}`, await listOf(await card(title)), 'installed');
        for (const { title } of [mole, quay])
          equal(`the list of ${title}`, await listOf(await card(title)), 'available');
        const paths = requests.map(({ path }) => path);
        for (const path of ['/api/apps', '/api/bundled']) ensure(`a request to ${path}`, paths.includes(path), paths);
      }),
    { shared: shelf },
  ),
  check(
    'box/page/installed-buttons',
    ['box/page/4', 'box/page/14'],
    'has Update, Reinstall and Remove for each installed app, and Settings only where there are some',
    (box) =>
      onPage(box, async ({ buttonsOf }) => {
        for (const { title } of [harbour, lagoon])
          for (const name of ['update', 'reinstall', 'remove'] as const)
            ensure(`a button ${name} of ${title}`, (await (await buttonsOf(title, buttons[name])).count()) > 0);
        const ofSettings = async (title: string) => (await (await buttonsOf(title, buttons.settings)).count()) > 0;
        equal('a Settings button of an app with settings', await ofSettings(harbour.title), true);
        equal('a Settings button of an app without settings', await ofSettings(lagoon.title), false);
      }),
    { shared: shelf },
  ),
  check(
    'box/page/available-buttons',
    ['box/page/5'],
    'has Install for each available app',
    (box) =>
      onPage(box, async ({ buttonsOf }) => {
        for (const { title } of [mole, quay])
          ensure(`a button install of ${title}`, (await (await buttonsOf(title, buttons.install)).count()) > 0);
      }),
    { shared: shelf },
  ),
  check(
    'box/page/loads-nothing-else',
    ['box/service/2'],
    'loads the shared style and the API, and no other file',
    (box) =>
      onPage(box, async ({ card, foreign, openForm }) => {
        for (const { title } of apps) await card(title);
        await openForm(mole.title, buttons.install, settings[0]?.label ?? '');
        equal('other files that it loads', foreign, []);
      }),
    { shared: shelf },
  ),
  check(
    'box/page/warning',
    ['box/page/2', 'box/auth/4'],
    'warns that there is no authentication',
    (box) =>
      onPage(box, async ({ card, page }) => {
        await card(harbour.title);
        // Two forms of the warning count: that protection is missing, or that everybody in the network has access.
        const missing =
          /\b(?:no|not|without|lacks?|missing)\b[^.]{0,60}\b(?:auth(?:enti|ori)|log[ -]?in|sign[ -]?in|access control|protect)/;
        const whoever =
          /\b(?:who(?:m|so)?ever|any(?:one|body| \w+)|every(?:one|body| \w+))\b[^.]{0,60}\b(?:reach|access|network|connect|open|us)/;
        const warns = new RegExp(`${missing.source}|${whoever.source}|\\bunauthenticated`, 'i');
        matches('a warning that a person sees', await page.locator('body').innerText(), warns);
      }),
    { shared: shelf },
  ),
  check(
    'box/page/dark-cards',
    ['box/service/3'],
    'is dark, and has a card of its own for each app',
    (box) =>
      onPage(box, async ({ card, page }) => {
        const boxes = [];
        for (const { title } of apps) {
          const shown = await card(title);
          for (const other of apps.filter((one) => one.title !== title))
            ensure(`${other.title} is not in the card of ${title}`, !(await shown.innerText()).includes(other.title));
          const place = await shown.boundingBox();
          ensure(`the card of ${title} can be seen`, place !== null && place.width > 0 && place.height > 0, place);
          boxes.push({ title, ...place });
        }
        for (const one of boxes)
          for (const other of boxes.filter(({ title }) => title !== one.title)) {
            const isApart =
              one.x + one.width <= other.x + 1 ||
              other.x + other.width <= one.x + 1 ||
              one.y + one.height <= other.y + 1 ||
              other.y + other.height <= one.y + 1;
            ensure(`the cards of ${one.title} and ${other.title} do not overlap`, isApart, [one, other]);
          }
        const lights = (await coloursOf(page, page)).map(([red, green, blue]) => 0.3 * red + 0.6 * green + 0.1 * blue);
        const dark = lights.filter((light) => light < middle).length / lights.length;
        ensure('most of the page is dark, with an empty /style.css', dark > 0.6, `${Math.round(dark * 100)} %`);
      }),
    { shared: shelf },
  ),
];
