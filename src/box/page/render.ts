import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../package-root.ts';

export type Page = { html: string; headers: Record<string, string> };

/**
 * The management page and its response headers.
 * box/service/2, box/service/4, box/endpoints/5
 */
export function renderPage(version: string): Page {
  return inlinePage('box/page/page.html', '/apps', version);
}

/**
 * A page as one self-contained document, and its response headers. The browser gets the modules as one inline script,
 * without their import lines. So top-level names must be unique across all modules of a page. The document links its
 * parts, so that it can be linted.
 * @param path - of the document, below `src/`
 * @param here - the link of the header that leads to the page
 */
export function inlinePage(path: string, here: '/apps' | '/settings/', version: string): Page {
  const document = read(path);
  const linked = (link: RegExp) =>
    [...document.matchAll(link)].map(([tag, name = '']) => ({ tag, path: join(dirname(path), name) }));
  const styles = linked(/<link rel="stylesheet" href="([^/"][^"]*)">\n */g);
  const [first] = linked(/<script src="([^"]+)"><\/script>/g);
  const [start] = linked(/<script type="module" src="([^"]+)"><\/script>/g);
  if (first === undefined || start === undefined) throw new Error(`${path} has no script`);
  const texts = {
    style: `\n${styles.map((style) => read(style.path)).join('\n')}`,
    first: read(first.path),
    script: `\n${[...modulesOf(start.path)].map((module) => withoutModuleSyntax(read(module))).join('\n')}`,
  };
  const header = read('box/page/header.html').trim();
  const inlined = [
    ['<meta name="boxgate-version" content="">', `<meta name="boxgate-version" content="${escapeHtml(version)}">`],
    ['<link rel="icon" href="data:,">', iconLinks()],
    ['<header class="top"></header>', header.replace(`href="${here}"`, `href="${here}" aria-current="page"`)],
    [styles.map(({ tag }) => tag).join(''), `<style>${texts.style}</style>\n  `],
    [first.tag, `<script>${texts.first}</script>`],
    [start.tag, `<script type="module">${texts.script}</script>`],
  ].reduce((page, [tag = '', text = '']) => page.replace(tag, () => text), document);
  return {
    html: inlined,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy([texts.first, texts.script], texts.style),
      'Referrer-Policy': 'same-origin',
    },
  };
}

/** A file below `src/`. */
function read(path: string): string {
  return readFileSync(join(packageRoot, 'src', path), 'utf8');
}

/** A module and all that it imports: each follows those that it imports itself. */
export function modulesOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  for (const [, imported = ''] of read(path).matchAll(/^import\s[^;]*'(\.[^']+)';\n/gm)) {
    modulesOf(join(dirname(path), imported), found);
  }
  return found.add(path);
}

/** The icon of boxgate, as data; a phone's home screen takes no SVG. */
function iconLinks(): string {
  const data = (name: string, type: string) =>
    `data:${type};base64,${readFileSync(join(packageRoot, 'src/box/page/home-screen', name), 'base64')}`;
  return `<link rel="icon" href="${data('icon.svg', 'image/svg+xml')}">
    <link rel="apple-touch-icon" href="${data('icon.png', 'image/png')}">`;
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
