import { escapeHtml, inlinePage, type Page } from '../../box/page/render.ts';

const emptyList = '<nav id="parts" aria-label="On this page" hidden></nav>';

/** A room of a group. `waiting` is said while it is read. */
type Listed = { path: string; title?: string; group?: string; waiting?: string };

/** The page of the console and its response headers. */
export function renderConsole(version: string, rooms: readonly Listed[]): Page {
  const { html, headers } = inlinePage('console/page/console.html', '/settings/', version);
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
