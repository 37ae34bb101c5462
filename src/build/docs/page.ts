import { html, Markup } from '../../../conformance/report/markup.ts';

/** One page of the site. All pages are in one folder. */
export type Page = {
  /** The file name. */
  readonly file: string;
  readonly title: string;
  /** The navigation shows the groups, and the pages of the current one under their labels. */
  readonly group: string;
  readonly label: string;
  /** One sentence for the start page. */
  readonly about: string;
  readonly body: Markup;
  /** Whether the body uses the whole width and has a `main` without padding. */
  readonly isWide?: boolean;
};

/** Styles and scripts come from files beside the page; everything else that could be loaded is forbidden. */
const policy = "connect-src 'none'; img-src data:; font-src 'none'; base-uri 'none'; form-action 'none'";

/** The whole HTML document. Names that `places` has become links to their addresses. */
export function renderPage(
  page: Page,
  { pages, places, version }: { pages: readonly Page[]; places: ReadonlyMap<string, string>; version: string },
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} – boxgate ${version}</title>
<link rel="stylesheet" href="docs.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
${navigation(page, pages)}
</header>
<main id="content" tabindex="-1"${page.isWide ? new Markup(' class="wide-page"') : null}>
${new Markup(linkNames(page.body.text, places, page.file))}
</main>
<footer><p>boxgate ${version}, MIT licence</p></footer>
</body>
</html>
`.text;
}

/** All groups, each a link to its first page, and below them the pages of the current group. */
function navigation(page: Page, pages: readonly Page[]): Markup {
  const groups = [...Map.groupBy(pages, ({ group }) => group)];
  const inGroup = pages.filter(({ group }) => group === page.group);
  const ofGroup = inGroup.length > 1 ? 'true' : 'page';
  return html`<nav aria-label="Documentation"><ul>
${groups.map(([name, [first]]) => navigationItem(first?.file ?? '', name, name === page.group ? ofGroup : null))}</ul></nav>
${
  inGroup.length === 1
    ? null
    : html`<nav aria-label="${page.group}"><ul>
${inGroup.map(({ file, label }) => navigationItem(file, label, file === page.file ? 'page' : null))}</ul></nav>`
}`;
}

const navigationItem = (file: string, label: string, current: 'page' | 'true' | null): Markup =>
  html`<li><a href="${file}"${current === null ? null : html` aria-current="${current}"`}>${label}</a></li>\n`;

/** Links, scripts and tags, in which no link may be inserted. */
const untouched = /(<a\b[\s\S]*?<\/a>|<script\b[\s\S]*?<\/script>|<[^<>]*>)/;

/**
 * Makes links of the names in a text of HTML: ids of requirements, choices and checks, and files. `box/icon/1-4` leads
 * to the first of the four. `here` is the file of the text.
 */
export function linkNames(text: string, places: ReadonlyMap<string, string>, here: string): string {
  const link = (name: string) => {
    const address = places.get(name) ?? places.get(name.replace(/-\d+$/, ''));
    if (address === undefined) return name;
    const href = address.startsWith(`${here}#`) ? address.slice(here.length) : address;
    return `<a href="${href}">${name}</a>`;
  };
  const parts = text.split(untouched);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/\w+(?:[./-]+\w+)*/g, link))).join('');
}
