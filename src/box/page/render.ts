import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';

/**
 * The management page as one self-contained document. The browser gets its modules as one inline script: each module
 * follows those that it imports, and the import lines are removed. So top-level names must be unique across all
 * modules.
 */
export const pageModules = [
  'dom.js',
  'apps/icon-values.js',
  'apps/icon.js',
  'api.js',
  'apps/app-state.js',
  'apps/model.js',
  'apps/outcomes.js',
  'apps/settings-values.js',
  'dialogs.js',
  'control.js',
  'apps/settings-form.js',
  'apps/operations.js',
  'status-line.js',
  'apps/under-way.js',
  'apps/card.js',
  'notice.js',
  'lists.js',
  'apps/activity.js',
  'poll.js',
  'self-update/self-update-view.js',
  'self-update/self-update-progress.js',
  'self-update/self-update-reload.js',
  'self-update/self-update.js',
  'apps/update-all.js',
  'page.js',
];

const pageStyles = ['base.css', 'page.css', 'controls.css', 'cards.css', 'activity.css'];

export type Page = { html: string; headers: Record<string, string> };

/**
 * The page and its response headers.
 * box/service/2, box/service/4, box/endpoints/5
 */
export function renderPage(version: string): Page {
  const part = (name: string) => readFileSync(join(packageRoot, 'src/box/page', name), 'utf8');
  const style = `\n${pageStyles.map(part).join('\n')}`;
  const styleLinks = pageStyles.map((name) => `<link rel="stylesheet" href="${name}">`).join('\n    ');
  const script = `\n${pageModules.map((name) => withoutModuleSyntax(part(name))).join('\n')}`;
  const html = [
    ['<meta name="boxgate-version" content="">', `<meta name="boxgate-version" content="${escapeHtml(version)}">`],
    [styleLinks, `<style>${style}</style>`],
    ['<script type="module" src="page.js"></script>', `<script type="module">${script}</script>`],
  ].reduce((page, [tag = '', inlined = '']) => replaceOnce(page, tag, inlined), part('page.html'));
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(script, style),
      'Referrer-Policy': 'same-origin',
    },
  };
}

/** Allows only the page's own script, style and requests. Only the icon parser may parse text as markup. */
function contentSecurityPolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src 'self' '${digest(style)}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types boxgate-icon',
  ].join('; ');
}

/**
 * Replaces a link in page.html by the contents of the linked file. page.html keeps links so that it can be linted.
 */
function replaceOnce(page: string, tag: string, inlined: string): string {
  if (page.split(tag).length !== 2) throw new Error(`page.html has to hold ${tag} once`);
  return page.replace(tag, () => inlined);
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** A module's text as a part of one script, without its import and export keywords. */
function withoutModuleSyntax(text: string): string {
  return text.replaceAll(/^import\s[^;]*;\n/gm, '').replaceAll(/^export (?=\w)/gm, '');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
