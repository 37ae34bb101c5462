import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inlineIcon } from '../rules/manifest/icon.ts';
import { needsBrowser, openPage } from './testing/browser.ts';
import { corpus } from './testing/icon-corpus.ts';
import { stubApp } from './testing/stub-server.ts';

/** The colour in the middle of each icon's halves, as painted on the screen. */
async function halves(page: Page, app: string): Promise<[string, string]> {
  const picture = (await page.locator(`[data-app="${app}"] .icon`).screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(bitmap, 0, 0);
    const at = (x: number) =>
      [...context.getImageData(bitmap.width * x, bitmap.height / 2, 1, 1).data].slice(0, 3).join(' ');
    return [at(0.3), at(0.7)] as [string, string];
  }, picture);
}

/** A freeze takes minutes; this is what a busy machine may need for two dozen icons. */
const withoutFreeze = { ...needsBrowser, timeout: 60_000 };

for (const [kind, icons] of Object.entries(corpus)) {
  /** box/service/3, choice/box/58 */
  test(`lets no icon run, load, restyle or freeze anything: ${kind}`, withoutFreeze, async (t) => {
    const names = Object.keys(icons);
    const { page, requested } = await openPage(t, (box) => {
      box.bundled = Object.values(icons).map((icon, index) => stubApp(`app-${index}`, { icon_svg: icon }));
    });
    // A screenshot waits until every icon is drawn.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('.icon img')].every((image) => image.complete),
    );
    await page.screenshot({ fullPage: true });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    equal(await page.locator('.cards > li:visible').count(), names.length);
    const inside = await page
      .locator('.icon')
      .evaluateAll((all) => all.map((one) => [...one.querySelectorAll('*')].map((part) => part.localName).join(' ')));
    for (const [index, parts] of inside.entries()) {
      ok(['img', 'svg path'].includes(parts), `${names[index]} left ${parts} in the page`);
    }
    equal(await page.locator('style, iframe, form, base').count(), 1, 'only the style of the page is there');
    equal(page.frames().length, 1);
    equal(await page.evaluate('window.ran'), undefined);
    equal(await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor), 'rgb(14, 18, 24)');
    ok(!requested.some((url) => url.includes('evil')));
  });
}

/** choice/box/58 */
test('has a corpus of icons that the API shows', () => {
  const icons = Object.values(corpus).flatMap((kind) => Object.values(kind));
  equal(new Set(icons).size, 59);
  const refused = icons.filter((icon) => inlineIcon(Buffer.from(icon)) === null);
  deepEqual(refused, []);
});

const halfAndHalf = (left: string, right: string) =>
  `<rect width="5" height="10" ${left}/><rect x="5" width="5" height="10" ${right}/>`;
const gradient = (id: string, colour: string) =>
  `<linearGradient id="${id}"><stop stop-color="${colour}"/></linearGradient>`;
const red = '255 0 0';
const blue = '0 0 255';

/** Icons as people draw them: red on the left, blue on the right. */
const drawnIcons = {
  'presentation attributes': `<svg viewBox="0 0 10 10">${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
  'classes and a style': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><style>svg{fill:red}.b{fill:#00f}</style></defs>${halfAndHalf('class="a"', 'class="b"')}</svg>`,
  'a style in CDATA': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><style><![CDATA[.a{fill:red}/* x */.a,.b{stroke:none}.b{fill:#00f}]]></style><g>${halfAndHalf('class="a"', 'class="b"')}</g></svg>`,
  'style attributes': `<svg viewBox="0 0 10 10">${halfAndHalf('style="fill:red"', "style='fill:blue'")}</svg>`,
  gradients: `<svg viewBox="0 0 10 10">${gradient('a', 'red')}${gradient('b', 'blue')}${halfAndHalf('fill="url(#a)"', 'fill="url(#b)"')}</svg>`,
  'the same ids with other meanings': `<svg viewBox="0 0 10 10">${gradient('b', 'red')}${gradient('a', 'blue')}${halfAndHalf('fill="url(#b)"', 'fill="url(#a)"')}</svg>`,
  'xlink without its namespace': `<svg viewBox="0 0 10 10"><defs>${gradient('a', 'red')}<linearGradient id="c" xlink:href="#a"/><rect id="r" width="5" height="10"/></defs><use xlink:href="#r" fill="url(#c)"/><use href="#r" x="5" fill="blue"/></svg>`,
  'a size in place of a view box': `<svg width="512px" height="512px">${halfAndHalf('fill="red" transform="scale(51.2)"', 'fill="blue" transform="scale(51.2)"')}</svg>`,
  "an editor's own elements": `<svg xmlns:inkscape="http://i" xmlns:sodipodi="http://s" viewBox="0 0 10 10" inkscape:version="1"><sodipodi:namedview id="n"><inkscape:grid/></sodipodi:namedview><metadata><rdf:RDF/></metadata>${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
  'attributes that XML does not allow': `<svg viewBox="0 0 10 10" a"b="1" 0="2" _x@y="3" v:z="4">${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
  'text after its end': `<svg viewBox="0 0 10 10">${halfAndHalf('fill="red"', 'fill="blue"')}</svg>\n<!-- drawn by hand --> x`,
  'entities of HTML': `<svg viewBox="0 0 10 10"><title>A&nbsp;&amp;&nbsp;B</title>${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
  'masks and clip paths': `<svg viewBox="0 0 10 10"><mask id="m"><rect width="10" height="10" fill="#fff"/></mask><clipPath id="c"><rect width="10" height="10"/></clipPath>${halfAndHalf('fill="red" mask="url(#m)"', 'fill="blue" clip-path="url(#c)"')}</svg>`,
  'clip paths and masks from a style': `<svg viewBox="0 0 10 10"><style>.a{clip-path:url(#c);fill:red}.b{mask:url('#m');fill:blue}</style><mask id="m"><rect width="10" height="10" fill="#fff"/></mask><clipPath id="c"><rect width="10" height="10"/></clipPath><g clip-path="url(#c)">${halfAndHalf('class="a"', 'class="b"')}</g></svg>`,
  'patterns and pictures': `<svg viewBox="0 0 10 10"><pattern id="p" width="1" height="1"><image id="i" width="10" height="10" preserveAspectRatio="none" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"/></pattern><rect width="5" height="10" fill="url(#p)"/><image x="5" width="5" height="10" preserveAspectRatio="none" xlink:href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC"/></svg>`,
  'a style as an editor writes it': `<svg viewBox="0 0 10 10">${halfAndHalf('style="fill:#ff0000;stroke:none;stroke-width:1;stroke-dasharray:none;marker:none;-inkscape-stroke:none"', 'style="fill:rgb(0,0,255);enable-background:accumulate;font-variant:normal"')}${'<path style="fill:none;stroke-dasharray:none" d="M0 0h1"/>'.repeat(60)}</svg>`,
  'dashed lines, which are drawn through': `<svg viewBox="0 0 10 10" stroke-width="5"><path d="M2.5 0v10" stroke="red" stroke-dasharray="20 1"/><path d="M7.5 0v10" stroke="blue" style="stroke-dasharray:30,2"/></svg>`,
  'ids that are not ASCII': `<svg viewBox="0 0 10 10"><style>.cls-1{fill:url(#Dégradé_1)}</style>${gradient('Dégradé_1', 'red')}${gradient('名称', 'blue')}${halfAndHalf('class="cls-1"', 'fill="url(#名称)"')}</svg>`,
  'a shadow, which is left out': `<svg viewBox="0 0 10 10"><filter id="f"><feGaussianBlur stdDeviation="9"/></filter><g filter="url(#f)">${halfAndHalf('fill="red"', 'fill="blue"')}</g></svg>`,
  'a style for dark screens': `<svg viewBox="0 0 10 10"><style>@media (prefers-color-scheme: dark){rect{display:none}}</style>${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
};

/** box/page/10, choice/box/58 */
test('shows icons as they were drawn', needsBrowser, async (t) => {
  const { page } = await openPage(t, (box) => {
    box.bundled = Object.values(drawnIcons).map((icon, index) => stubApp(`app-${index}`, { icon_svg: icon }));
  });
  const painted: Record<string, [string, string]> = {};
  for (const [index, name] of Object.keys(drawnIcons).entries()) painted[name] = await halves(page, `app-${index}`);
  deepEqual(painted, Object.fromEntries(Object.keys(drawnIcons).map((name) => [name, [red, blue]])));
});

/** box/page/10 */
test('shows the folder for no icon, and for one that cannot be shown', needsBrowser, async (t) => {
  const bomb = corpus['references that are written in another way']?.plainly ?? '';
  const texts = corpus['dashes, sizes and numbers']?.['very many copies of a text with a part'] ?? '';
  const { page } = await openPage(t, (box) => {
    box.bundled = [null, 'text', '<svg:svg></svg:svg>', bomb, texts].map((icon, index) =>
      stubApp(`app-${index}`, { icon_svg: icon }),
    );
  });
  equal(await page.locator('.icon > svg.folder').count(), 5);
});

/** A PNG of one red point. */
const redPoint = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

test(
  'shows an icon of the console once it comes into view, and the folder where none comes',
  needsBrowser,
  async (t) => {
    const drawn = '<svg viewBox="0 0 10 10"><rect width="10" height="10" fill="blue"/></svg>';
    const { page, box, app, requested } = await openPage(t, (stub) => {
      stub.bundled = Array.from({ length: 150 }, (_, index) => {
        const name = `app-${10 + index}`;
        return stubApp(name, { icon_url: `/settings/icons/${name}?v=1`, ...(index === 1 ? { icon_svg: drawn } : {}) });
      });
      stub.answers.set('GET /settings/icons/app-10?v=1', { status: 200, picture: redPoint });
      stub.answers.set('GET /settings/icons/app-10?v=2', { status: 404, body: { error: 'not found' } });
    });
    await app('app-10').locator('.icon > .full').waitFor();
    deepEqual(await halves(page, 'app-10'), [red, red]);
    deepEqual(await halves(page, 'app-11'), [blue, blue], 'the drawing comes first');
    await app('app-12').locator('.icon > .folder').waitFor();
    const asked = (name: string) => requested.some((url) => url.includes(`/icons/${name}?`));
    deepEqual([asked('app-10'), asked('app-11'), asked('app-12'), asked('app-159')], [true, false, true, false]);
    await app('app-159').scrollIntoViewIfNeeded();
    await app('app-159').locator('.icon > .folder').waitFor();
    ok(asked('app-159'));
    const [first] = box.bundled;
    box.bundled = [{ ...(first ?? stubApp('app-10')), icon_url: '/settings/icons/app-10?v=2' }];
    box.installed = [{ ...stubApp('other'), ok: true }];
    await app('app-10').locator('.icon > .folder').waitFor();
  },
);

const shape = (paint: string) => `<svg viewBox="0 0 10 10"><path d="M1 1h8v8h-8z" ${paint}/></svg>`;
const paleIcons = {
  'a white shape': shape('fill="#fff"'),
  'a white line': shape('fill="none" stroke="white" stroke-width="1"'),
  'a class': `<svg viewBox="0 0 10 10"><style>.a{fill:#fefefe}</style><circle class="a" cx="5" cy="5" r="4"/></svg>`,
  'a style': shape('style="fill:rgb(240,244,250)"'),
  'a colour for the whole icon': `<svg viewBox="0 0 10 10" color="white"><path d="M1 1h8v8h-8z" fill="currentColor"/></svg>`,
  'white with a small part in blue': `<svg viewBox="0 0 10 10"><path d="M1 1h8v8h-8z" fill="#fff"/><path d="M1 1h3v3h-3z" fill="#00f"/></svg>`,
  'white that shows through': shape('fill="#fff" opacity="0.8"'),
};
const otherIcons = {
  'no colour': shape(''),
  'the colour of the text': shape('fill="currentColor"'),
  grey: shape('fill="#888"'),
  'white on a coloured ground': `<svg viewBox="0 0 10 10"><path d="M0 0h10v10h-10z" fill="#05a"/><path d="M3 3h4v4h-4z" fill="#fff"/></svg>`,
  'an icon without anything': '<svg viewBox="0 0 10 10"></svg>',
};

test('puts an icon that is mostly white on a dark ground, and others on the light one', needsBrowser, async (t) => {
  const icons = { ...paleIcons, ...otherIcons };
  const { page } = await openPage(t, (box) => {
    box.bundled = Object.values(icons).map((icon, index) => stubApp(`app-${index}`, { icon_svg: icon }));
  });
  await page.waitForFunction(
    (count) => document.querySelectorAll('.icon .pale').length >= count,
    Object.keys(paleIcons).length,
  );
  const grounds: Record<string, string> = {};
  for (const [index, name] of Object.keys(icons).entries()) {
    const icon = page.locator(`[data-app="app-${index}"] .icon`);
    grounds[name] = await icon.evaluate((one) => getComputedStyle(one).backgroundColor);
  }
  const ground = (group: object, colour: string) => Object.keys(group).map((name) => [name, colour]);
  const [light, dark] = ['rgb(233, 237, 243)', 'rgb(32, 40, 53)'];
  deepEqual(grounds, Object.fromEntries([...ground(paleIcons, dark), ...ground(otherIcons, light)]));
});
