import { escapeHtml, inlinePage, type Page } from '../../box/page/inline.ts';

/** The modules of the console's page, each after those that it imports, as paths below `src/`. */
export const consoleModules = [
  'box/page/dom.js',
  'box/page/local-text.js',
  'box/page/scheme/scheme.js',
  'box/page/home-screen/home-screen.js',
  'box/page/apps/icon-values.js',
  'box/page/apps/icon.js',
  'box/page/api.js',
  'box/page/apps/app-state.js',
  'box/page/apps/model.js',
  'box/page/dialogs.js',
  'console/page/app-log.js',
  'console/page/visit.js',
  'console/page/actions.js',
  'console/page/draw.js',
  'console/page/console.js',
];

const styles = [
  'box/page/styles/base.css',
  'box/page/styles/page.css',
  'box/page/styles/controls.css',
  'console/page/console.css',
];
const emptyList = '<nav id="parts" aria-label="On this page" hidden></nav>';

/** A room of a group. `waiting` is said while it is read. */
type Listed = { path: string; title?: string; group?: string; waiting?: string };

/** The page of the console and its response headers. */
export function renderConsole(version: string, rooms: readonly Listed[]): Page {
  const files = { html: 'console/page/console.html', here: '/settings/', modules: consoleModules, styles } as const;
  const { html, headers } = inlinePage(files, version);
  const links = rooms.flatMap(({ path, title = '', group, waiting = '' }) =>
    group === undefined
      ? []
      : [
          `<a href="#/${path.replace('/', '')}" data-group="${group}" data-waiting="${escapeHtml(waiting)}">${title}</a>`,
        ],
  );
  // A link without a fragment would load the page anew.
  const withParts = html.replace(emptyList, emptyList.replace('></', `>${links.join('')}</`));
  return { html: withParts.replace('href="/settings/"', 'href="/settings/#/box"'), headers };
}
