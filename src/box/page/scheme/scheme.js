/** The owner's choice of dark or light colours. The page and the console have one origin, so they share it. */

import { byId, element } from '../dom.js';

/** As in kept-scheme.js. */
const schemeKey = 'boxgate-scheme';
const schemes = { dark: 'Dark', light: 'Light', system: 'As the system' };
const { documentElement } = document;

export function offerSchemes() {
  const select = element(
    'select',
    { id: 'scheme' },
    ...Object.entries(schemes).map(([value, text]) => element('option', { text, value })),
  );
  byId('scheme-place').append(element('label', { text: 'Colours', for: 'scheme' }), select);

  /** @param {string | null | undefined} scheme */
  const show = (scheme) => {
    select.value = scheme && Object.hasOwn(schemes, scheme) ? scheme : 'dark';
    documentElement.dataset.scheme = select.value;
    colourTheBrowser();
  };
  select.addEventListener('change', () => {
    show(select.value);
    try {
      localStorage.setItem(schemeKey, select.value);
    } catch {
      // The choice lasts until the page is closed.
    }
  });
  // In another tab.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === schemeKey) show(newValue);
  });
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', colourTheBrowser);
  show(documentElement.dataset.scheme);
}

/** On a phone, the browser around the page has its colour. */
function colourTheBrowser() {
  const colour = getComputedStyle(documentElement).backgroundColor;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colour);
}
