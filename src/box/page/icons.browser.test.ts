import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { needsBrowser, openPage } from './browser.ts';
import { stubApp } from './stub-server.ts';

const evil = 'http://evil.example';

/** Markup that the API's icon rules let through, and what each of it would do to a page that took it in. */
const hostileIcons = {
  'a style for everything':
    '<svg viewBox="0 0 9 9"><style>*{display:none!important}body{background:red}</style></svg>',
  'a frame in foreign content': `<svg><foreignObject width="9" height="9"><iframe src="${evil}/frame"></iframe></foreignObject></svg>`,
  'a picture in foreign content': `<svg><foreignObject><img src="${evil}/picture"></foreignObject></svg>`,
  'a form in foreign content': `<svg><foreignObject><form action="${evil}"><button>Install</button></form></foreignObject></svg>`,
  'a link set by animation': `<svg><a id="a"><rect width="9" height="9"/></a><set href="#a" attributeName="href" to="${evil}/set"/></svg>`,
  'an animated link': `<svg><a href="${evil}/link" target="_top"><animate attributeName="href" values="${evil}/animate"/><text>x</text></a></svg>`,
  'a drawing from elsewhere': `<svg><use href="${evil}/use.svg#a"/><use xlink:href="${evil}/xlink.svg#a"/></svg>`,
  'an image from elsewhere': `<svg><image href="${evil}/image"/><image xlink:href="${evil}/ximage"/></svg>`,
  'a filter image from elsewhere': `<svg><filter id="f"><feImage href="${evil}/feimage"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
  'a font and an import from elsewhere': `<svg><style>@import "${evil}/import.css";@font-face{font-family:f;src:url(${evil}/font)}text{font-family:f;fill:url(${evil}/paint#a)}</style><text>x</text></svg>`,
  'a style attribute': `<svg style="position:fixed;inset:0;background:url(${evil}/background)"><rect/></svg>`,
  'what follows its end': `<svg></svg><img src="${evil}/after"><style>*{display:none}</style><h1>Other</h1>`,
  'what breaks out of it': `<svg><p><img src="${evil}/out"></p><div id="content">Other</div></svg>`,
  'a character of a script': '<svg><desc>&lt;script&gt;</desc><text>&#x3c;img src=x&#x3e;</text></svg>',
  'a style that breaks out': '<svg><style><!--</style><title><style></title>*{display:none}</style></svg>',
  'a title with markup': `<svg><title><img src="${evil}/title"></title><desc><iframe src="${evil}/desc"></iframe></desc></svg>`,
  'names that are no names':
    '<svg a"b="1" 0="2" x:y="3" xmlns:z="q"><z:rect z:a="1"/><rect width="9" height="9"/></svg>',
  'sixteen KiB of depth': `<svg>${'<g>'.repeat(5400)}</svg>`,
  'no end': '<svg><g><rect',
  'characters that XML has not': '<svg><text>\u0001\uffff</text></svg>',
  'half a character': '<svg><text>\ud800</text></svg>',
};

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

/** box/service/3, choice/box/58 */
test('lets no icon run, load or restyle anything', needsBrowser, async (t) => {
  const names = Object.keys(hostileIcons);
  const { page, requested } = await openPage(t, (box) => {
    box.bundled = Object.values(hostileIcons).map((icon, index) =>
      stubApp(`app-${index}`, { icon_svg: icon }),
    );
  });
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.icon img')].every((image) => image.complete),
  );
  equal(await page.locator('#available-list > li:visible').count(), names.length);
  const inside = await page
    .locator('.icon')
    .evaluateAll((icons) =>
      icons.map((icon) => [...icon.querySelectorAll('*')].map((part) => part.localName).join(' ')),
    );
  for (const [index, parts] of inside.entries()) {
    ok(['img', 'svg path'].includes(parts), `${names[index]} left ${parts} in the page`);
  }
  deepEqual(
    await page.locator('style, iframe, form, base').count(),
    1,
    'only the style of the page is there',
  );
  equal(
    await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor),
    'rgb(14, 18, 24)',
  );
  ok(!requested.some((url) => url.includes('evil')));
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
  'classes and a style': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><style>.a{fill:red}.b{fill:#00f}</style></defs>${halfAndHalf('class="a"', 'class="b"')}</svg>`,
  'a style in CDATA': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><style><![CDATA[g > .a{fill:red}g > .b{fill:#00f}]]></style><g>${halfAndHalf('class="a"', 'class="b"')}</g></svg>`,
  'style attributes': `<svg viewBox="0 0 10 10">${halfAndHalf('style="fill:red"', "style='fill:blue'")}</svg>`,
  gradients: `<svg viewBox="0 0 10 10">${gradient('a', 'red')}${gradient('b', 'blue')}${halfAndHalf('fill="url(#a)"', 'fill="url(#b)"')}</svg>`,
  'the same ids with other meanings': `<svg viewBox="0 0 10 10">${gradient('b', 'red')}${gradient('a', 'blue')}${halfAndHalf('fill="url(#b)"', 'fill="url(#a)"')}</svg>`,
  'xlink without its namespace': `<svg viewBox="0 0 10 10"><defs>${gradient('a', 'red')}<linearGradient id="c" xlink:href="#a"/><rect id="r" width="5" height="10"/></defs><use xlink:href="#r" fill="url(#c)"/><use href="#r" x="5" fill="blue"/></svg>`,
  'a size in place of a view box': `<svg width="512px" height="512px">${halfAndHalf('fill="red" transform="scale(51.2)"', 'fill="blue" transform="scale(51.2)"')}</svg>`,
  "an editor's own elements": `<svg xmlns:inkscape="http://i" xmlns:sodipodi="http://s" viewBox="0 0 10 10" inkscape:version="1"><sodipodi:namedview id="n"><inkscape:grid/></sodipodi:namedview><metadata><rdf:RDF/></metadata>${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
  'attributes that XML does not allow': `<svg viewBox="0 0 10 10" a"b="1" 0="2" _x@y="3" v:z="4">${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
  'text after its end': `<svg viewBox="0 0 10 10">${halfAndHalf('fill="red"', 'fill="blue"')}</svg>\n<!-- drawn by hand --> x`,
  'entities of HTML': `<svg viewBox="0 0 10 10"><title>A&nbsp;&amp;&nbsp;B</title>${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
  'a style for dark screens': `<svg viewBox="0 0 10 10"><style>@media (prefers-color-scheme: dark){rect{display:none}}</style>${halfAndHalf('fill="red"', 'fill="blue"')}</svg>`,
};

/** box/page/10, choice/box/58 */
test('shows icons as they were drawn', needsBrowser, async (t) => {
  const { page } = await openPage(t, (box) => {
    box.bundled = Object.values(drawnIcons).map((icon, index) => stubApp(`app-${index}`, { icon_svg: icon }));
  });
  const painted: Record<string, [string, string]> = {};
  for (const [index, name] of Object.keys(drawnIcons).entries())
    painted[name] = await halves(page, `app-${index}`);
  deepEqual(painted, Object.fromEntries(Object.keys(drawnIcons).map((name) => [name, [red, blue]])));
});

/** box/page/10 */
test('shows the folder for no icon, and for one that cannot be shown', needsBrowser, async (t) => {
  const copies = (id: number) => `<g id="g${id}">${`<use href="#g${id - 1}"/>`.repeat(10)}</g>`;
  const bomb = `<svg><rect id="g0" width="1" height="1"/>${Array.from({ length: 9 }, (_, index) => copies(index + 1)).join('')}</svg>`;
  const { page } = await openPage(t, (box) => {
    box.bundled = [null, 'text', '<svg:svg></svg:svg>', bomb].map((icon, index) =>
      stubApp(`app-${index}`, { icon_svg: icon }),
    );
  });
  equal(await page.locator('.icon > svg.folder').count(), 4);
});
