import type { PublishedChecks } from '../../../conformance/published-checks.ts';
import { html, Markup } from '../../../conformance/report/markup.ts';
import { asObject, type JsonObject } from '../../../spec/document.ts';
import type { Service } from '../../../spec/register.ts';
import { markdown, sentence } from './markdown.ts';
import { type Page, renderPage } from './page.ts';
import { checksPage, registerPage } from './register-pages.ts';
import { schemaPage } from './schema-page.ts';

export type Sources = {
  readonly version: string;
  readonly documents: Readonly<Record<Service, JsonObject>>;
  readonly checks: PublishedChecks;
  /** The text of a file by its path from the root of the checkout. */
  readonly readText: (path: string) => string;
};

const services = ['box', 'gateway'] as const;

/** Pages of Markdown files: path, file of the page, group, label, and one sentence. */
const guides = [
  ['spec/API-CHANGELOG.md', 'api-changelog.html', 'APIs', 'Changes', 'What changed in the two OpenAPI documents.'],
  ['spec/CLIENTS.md', 'clients.html', 'Guides', 'Clients', 'Generators, tokens, time-outs and retries.'],
  ['conformance/IMPLEMENTERS.md', 'implementers.html', 'Guides', 'Implementers', 'Write a box or a gateway.'],
  ['conformance/wg-easy.md', 'wg-easy.html', 'Guides', 'wg-easy', 'The dialects of the tunnel manager.'],
  ['conformance/README.md', 'suite.html', 'Guides', 'Suite', 'How to run the conformance suite, and all its options.'],
] as const;

const schemas = [
  ['manifest', 'Manifest', 'The file `manifest.json` of an app.'],
  ['report', 'Report', 'What a run of the conformance suite writes.'],
  ['checks', 'Checks', 'Requirements and checks as data.'],
] as const;

/** The page that shows a file of the checkout; the first one of several. */
const pageOfFile = new Map<string, string>([
  ...guides.map(([path, file]) => [path, file] as const),
  ...schemas.map(([name]) => [`spec/${name}.schema.json`, `${name}-schema.html`] as const),
  ...services.flatMap((service) => [
    [`spec/${service}.md`, `${service}-requirements.html`] as const,
    [`spec/${service}.openapi.yaml`, `${service}.html`] as const,
  ]),
  ['spec/choices.md', 'box-choices.html'],
  ['spec/checks.json', 'box-checks.html'],
]);

/** The files of the site that are made of texts, by name. Links between them are relative. */
export function makeSite(sources: Sources): Map<string, string> {
  const { version, documents, readText } = sources;
  const parts = services.flatMap((service) => partsOf(service, sources));
  const ofGuides = guides.map(([path]) => guidePage(path, readText(path)));
  const ofSchemas = schemas.map(([name, label, about]): Page => {
    const file = `${name}.schema.json`;
    const body = schemaPage(asObject(JSON.parse(readText(`spec/${file}`)), file), file);
    return { file: `${name}-schema.html`, title: `Schema: ${label}`, group: 'Schemas', label, about, body };
  });
  const all = [...parts, ...ofGuides, ...ofSchemas];
  const groups = ['APIs', 'Guides', 'Requirements', 'Choices', 'Checks', 'Schemas'];
  const ordered = groups.flatMap((name) => all.filter(({ group }) => group === name));
  const pages = [startPage(groups, ordered), ...ordered];
  const places = placesOf(ordered);
  return new Map([
    ...pages.map((page) => [page.file, renderPage(page, { pages, places, version })] as const),
    ...schemas.map(([name]) => [`${name}.schema.json`, readText(`spec/${name}.schema.json`)] as const),
    ...services.map((service) => [`${service}.openapi.yaml`, readText(`spec/${service}.openapi.yaml`)] as const),
    ...services.map((service) => [`${service}.openapi.json`, JSON.stringify(documents[service], null, 2)] as const),
  ]);
}

/** The pages that each service has. */
function partsOf(service: Service, { checks, readText, documents }: Sources): Page[] {
  const ofService = checks.checks.filter(({ api }) => api === service);
  const choices = readText('spec/choices.md').split(/^(?=# )/m)[services.indexOf(service)] ?? '';
  const label = service === 'box' ? 'Box' : 'Gateway';
  const page = (group: string, about: string, body: Markup): Page => {
    const file = `${service}-${group.toLowerCase()}.html`;
    return { file, title: `${group} of the ${service}`, group, label, about, body };
  };
  const requirements = registerPage(readText(`spec/${service}.md`), ofService);
  return [
    referencePage(service, label, documents[service]),
    page('Requirements', `What a ${service} has to do.`, requirements),
    page('Choices', 'Questions that the requirements leave open, answered.', registerPage(choices, ofService)),
    page('Checks', `What the suite checks of a ${service}.`, checksPage(`Checks of the ${service}`, ofService)),
  ];
}

/** Redoc draws the reference. It contains the document, because a browser lets no page from a disk read other files. */
function referencePage(service: Service, label: string, document: JsonObject): Page {
  const data = JSON.stringify(document).replaceAll('<', '\\u003c');
  const body = html`<p class="document">The document: <a href="${service}.openapi.yaml">${service}.openapi.yaml</a>, <a href="${service}.openapi.json">${service}.openapi.json</a>.</p>
<noscript><p>This reference needs JavaScript. The document has the same content.</p></noscript>
<div id="reference"></div>
<script type="application/json" id="document">${new Markup(data)}</script>
<script src="redoc.standalone.js"></script>
<script src="reference.js"></script>`;
  const about = service === 'box' ? 'Apps and updates of a box.' : 'Registration, tokens and routes of boxes.';
  return { file: `${service}.html`, title: `API of the ${service}`, group: 'APIs', label, about, body, isWide: true };
}

function guidePage(path: string, text: string): Page {
  const [, file, group, label, about] = guides.find(([of]) => of === path) ?? guides[0];
  const title = /^# (.+)$/m.exec(text)?.[1] ?? label;
  return { file, title, group, label, about, body: markdown(text, (href) => addressFrom(path, href)) };
}

/** The address of a link in the Markdown file `path`. `null` if the site does not have its target. */
export function addressFrom(path: string, href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${path}`);
  const file = pageOfFile.get(decodeURI(pathname.slice(1)));
  return file === undefined ? null : `${file}${hash}`;
}

/** The addresses of requirements, choices, checks, and files with a page, by the names that texts use. */
function placesOf(pages: readonly Page[]): Map<string, string> {
  const anchors = pages.flatMap(({ file, body }) =>
    [...body.text.matchAll(/<article class="entry" id="([^"]+)"/g)].map(
      ([, id = '']) => [id, `${file}#${id}`] as const,
    ),
  );
  return new Map([...pageOfFile, ...anchors]);
}

function startPage(groups: readonly string[], pages: readonly Page[]): Page {
  const cards = groups.map((name) => {
    const items = pages.filter(({ group }) => group === name);
    return html`<section aria-labelledby="${name}"><h2 id="${name}">${name}</h2><ul>
${items.map(({ file, label, about }) => html`<li><a href="${file}">${label}</a> ${sentence(about)}</li>\n`)}</ul></section>
`;
  });
  const body = html`<h1>boxgate</h1>
<p>A box runs apps on a small server at home. A gateway makes them reachable under public names. Both have an HTTP API,
and any implementation that passes the conformance suite can take the place of boxgate's own.</p>
<div class="cards">
${cards}</div>`;
  return { file: 'index.html', title: 'Documentation', group: 'Start', label: 'Start', about: '', body };
}
