import { escapeHtml, inlinePage, type Page } from '../../box/page/inline.ts';

/** The modules of the console's page, each after those that it imports, as paths below `src/`. */
export const consoleModules = [
  'box/page/dom.js',
  'box/page/scheme/scheme.js',
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
const emptyList = '<nav class="rooms" id="rooms" aria-label="Settings"></nav>';

/** A room in the navigation. `waiting` is said while it is read. */
type Listed = { path: string; title?: string; waiting?: string };

/** The page of the console and its response headers. */
export function renderConsole(version: string, rooms: readonly Listed[]): Page {
  const { html, headers } = inlinePage({ html: 'console/page/console.html', modules: consoleModules, styles }, version);
  const links = rooms.flatMap(({ path, title, waiting = '' }) => {
    const href = path === 'apps' ? '#/' : `#/${path}`;
    return title === undefined ? [] : [`<a href="${href}" data-waiting="${escapeHtml(waiting)}">${title}</a>`];
  });
  return { html: html.replace(emptyList, emptyList.replace('></', `>${links.join('')}</`)), headers };
}
