import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { type Colour, coloursOf, hasPicture } from './dom.ts';
import { buttons } from './elements.ts';
import { onPage, pageMs } from './management-page.ts';
import { colouredIcon, harbour, iconColour, lagoon, mole, quay, settings, shelf } from './shelf.ts';

const isNear = (colour: Colour) => colour.every((part, index) => Math.abs(part - (iconColour[index] ?? 0)) <= 12);

/** A picture of 8 by 8 pixels, whose every second pixel the checks see in both directions. */
const leastPixels = 16;

/** Icons that pass the four rules of icon_svg, and do harm in a page that takes them as its own markup. */
const harmful = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><foreignObject width="9" height="9"><iframe srcdoc="&lt;script&gt;fetch('/api/from-an-icon')&lt;/script&gt;"></iframe></foreignObject></svg>`,
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="http://icon.example/a.png" width="9" height="9"/></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>@import url(http://icon.example/b.css); button { display: none }</style></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"></svg><img src="http://icon.example/c.png"><style>button { display: none }</style>',
];

export const readingChecks: Check<BoxContext>[] = [
  check(
    'box/page/icons',
    ['box/page/10'],
    'shows an icon that is there, and another picture for an app without one, and requests no image',
    (box) =>
      onPage(box, async ({ card, page, requests }) => {
        const drawn = async (title: string) => (await coloursOf(page, await card(title))).filter(isNear).length;
        for (const { title } of [harbour, mole])
          await until(`the icon of ${title} is drawn`, async () => (await drawn(title)) >= leastPixels, pageMs);
        for (const { title } of [lagoon, quay]) {
          equal(`pixels of the icon of another app at ${title}`, await drawn(title), 0);
          ensure(`a picture of a folder at ${title}`, await hasPicture(await card(title)));
        }
        const images = requests.filter(({ path }) => /icon|\.svg/.test(path)).map(({ path }) => path);
        equal('requests of icons', images, []);
      }),
    { shared: shelf },
  ),
];

export const changingChecks: Check<BoxContext>[] = [
  check(
    'box/page/harmful-icons',
    ['should/box/650'],
    'only draws an icon: it runs nothing, loads nothing and changes nothing else of the page',
    (box) => {
      for (const [index, icon] of harmful.entries()) {
        const name = `icon${index}`;
        const about = manifest(name, { display_name: `Port ${index} of call`, icon: 'icon.svg' });
        box.environment.placeInstalled({ name, manifest: about, icon });
      }
      // The last app is shown after all others.
      const last = manifest('mole', { settings, display_name: mole.title, icon: 'icon.svg' });
      box.environment.bundle({ name: 'mole', manifest: last, icon: colouredIcon });
      return onPage(box, async ({ buttonsOf, foreign, openForm, page, requests }) => {
        for (const index of harmful.keys()) {
          const shown = await buttonsOf(`Port ${index} of call`, buttons.remove);
          ensure('its Remove button', (await shown.count()) > 0);
        }
        await openForm(mole.title, buttons.install, settings[0]?.label ?? '');
        for (const frame of page.frames()) await frame.waitForLoadState('load');
        const paths = requests.map(({ path }) => path).filter((path) => path.includes('from-an-icon'));
        equal('requests of icons', [...foreign, ...paths], []);
      });
    },
  ),
];
