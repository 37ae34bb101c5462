import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';

export type Page = { html: string; headers: Record<string, string> };

/** The files of a page, as paths below `src/`. */
export type PageFiles = {
  html: string;
  /** The link of the header that leads here. */
  here: '/apps' | '/settings/';
  /** The modules in an order in which each follows those that it imports; the last one starts the page. */
  modules: readonly string[];
  styles: readonly string[];
};

/**
 * A page as one self-contained document, and its response headers. The browser gets the modules as one inline script,
 * without their import lines. So top-level names must be unique across all modules of a page.
 */
export function inlinePage({ html, here, modules, styles }: PageFiles, version: string): Page {
  const part = (name: string) => readFileSync(join(packageRoot, 'src', name), 'utf8');
  const nameIn = (path: string) => relative(html, path);
  const header = part('box/page/header.html').trim();
  const style = `\n${styles.map(part).join('\n')}`;
  const styleLinks = styles.map((name) => `<link rel="stylesheet" href="${nameIn(name)}">`).join('\n    ');
  const first = part(keptScheme);
  const script = `\n${modules.map((name) => withoutModuleSyntax(part(name))).join('\n')}`;
  const start = nameIn(modules.at(-1) ?? '');
  const inlined = [
    ['<meta name="boxgate-version" content="">', `<meta name="boxgate-version" content="${escapeHtml(version)}">`],
    [`<script src="${nameIn(keptScheme)}"></script>`, `<script>${first}</script>`],
    ['<link rel="icon" href="data:,">', iconLinks()],
    ['<header class="top"></header>', header.replace(`href="${here}"`, `href="${here}" aria-current="page"`)],
    [styleLinks, `<style>${style}</style>`],
    [`<script type="module" src="${start}"></script>`, `<script type="module">${script}</script>`],
  ].reduce((page, [tag = '', text = '']) => replaceOnce(page, tag, text, html), part(html));
  return {
    html: inlined,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy([first, script], style),
      'Referrer-Policy': 'same-origin',
    },
  };
}

/** The script that a page runs before it is painted. */
const keptScheme = 'box/page/scheme/kept-scheme.js';

/** The icon of boxgate, as data; a phone's home screen takes no SVG. */
function iconLinks(): string {
  const data = (name: string, type: string) =>
    `data:${type};base64,${readFileSync(join(packageRoot, 'src/box/page/home-screen', name), 'base64')}`;
  return `<link rel="icon" href="${data('icon.svg', 'image/svg+xml')}">
    <link rel="apple-touch-icon" href="${data('icon.png', 'image/png')}">`;
}

/** The path of a file beside or above the page's document. */
function relative(document: string, path: string): string {
  const folders = document.split('/').slice(0, -1);
  const parts = path.split('/');
  while (folders.length > 0 && folders[0] === parts[0]) {
    folders.shift();
    parts.shift();
  }
  return [...folders.map(() => '..'), ...parts].join('/');
}

/** Allows only the page's own scripts, style and requests. Only the icon parser may parse text as markup. */
function contentSecurityPolicy(scripts: readonly string[], style: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map((script) => `'${digest(script)}'`).join(' ')}`,
    `style-src 'self' '${digest(style)}'`,
    "img-src 'self' data:",
    'manifest-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types boxgate-icon',
  ].join('; ');
}

/** Replaces a link in the document by the contents of the linked file. The document keeps links so that it can be linted. */
function replaceOnce(page: string, tag: string, inlined: string, name: string): string {
  if (page.split(tag).length !== 2) throw new Error(`${name} has to hold ${tag} once`);
  return page.replace(tag, () => inlined);
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** A module's text as a part of one script, without its import and export keywords. */
function withoutModuleSyntax(text: string): string {
  return text.replaceAll(/^import\s[^;]*;\n/gm, '').replaceAll(/^export (?=\w)/gm, '');
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
