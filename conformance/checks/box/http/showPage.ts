import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, status } from '../../../kernel/expect.ts';
import { library } from '../apps.ts';
import type { BoxContext } from '../context.ts';

/** Rules of the page that its bytes show. The others need a browser. */
export const checks: Check<BoxContext>[] = [
  check(
    'box/showPage/three-paths',
    [
      'box/showPage/1',
      'box/showPage/2',
      'box/showAppsPage/1',
      'box/showAppsPage/2',
      'box/showAppsFolderPage/1',
      'box/showAppsFolderPage/2',
      'box/endpoints/5',
    ],
    'serves one page under its three paths',
    async (box) => {
      const pages = [await box.get('/'), await box.get('/apps'), await box.get('/apps/')];
      for (const page of pages) {
        status(page, 200);
        equal('Content-Type', page.headers['content-type'], 'text/html; charset=utf-8');
        matches('an HTML document', page.text, /<html|<!doctype html/i);
      }
      equal('the same page', new Set(pages.map((page) => page.text)).size, 1);
    },
    { shared: library },
  ),
  check(
    'box/showPage/title-and-links',
    ['box/page/1', 'box/page/11', 'box/page/13'],
    'has a title with apps, links to its three places and loads the shared style',
    async (box) => {
      const { text } = await box.get('/');
      matches('the title', /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1], /app/i);
      const links = [...text.matchAll(/<a\b[^>]*\bhref\s*=\s*["']?([^"'\s>]+)/gi)].map((match) => match[1]);
      for (const link of ['/', '/apps', '/settings/']) ensure(`a link to ${link}`, links.includes(link), links);
      const styles = [...text.matchAll(/<link\b[^>]*>/gi)].map(([tag]) => tag);
      const isStyle = (tag: string) =>
        /rel\s*=\s*["']?stylesheet/i.test(tag) && /href\s*=\s*["']?\/style\.css/i.test(tag);
      ensure('a style sheet link to /style.css', styles.some(isStyle), styles);
    },
    { shared: library },
  ),
  check(
    'box/showPage/self-contained',
    ['box/service/2', 'box/service/4'],
    'contains its script, and loads no other file than the shared style',
    async (box) => {
      const { text } = await box.get('/');
      matches('a script in the page', text, /<script[^>]*>[^<]/i);
      equal('scripts from elsewhere', [...text.matchAll(/<script\b[^>]*\bsrc\s*=/gi)].length, 0);
      const scripts = [...text.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gis)];
      const types = scripts.map(([, attributes = '']) => /\btype\s*=\s*["']?([^"'\s]+)/i.exec(attributes)?.[1]);
      // Elements with JSON are data, which no browser executes.
      const strange = types.filter(
        (type) => !/^(?:module|(?:text|application)\/(?:javascript|json))?$/i.test(type ?? ''),
      );
      equal('scripts of a type that no browser runs', strange, []);
      const imports = scripts.filter(([, , code = '']) => /^[ \t]*import\s*(?:[\w*{][^'"]*\bfrom\s*)?["']/m.test(code));
      equal('scripts that load others', imports.length, 0);
      const styles = [...text.matchAll(/<style\b[^>]*>(.*?)<\/style>/gis)].map(([, style = '']) => style);
      const reaching = styles.filter((style) => /@import\b|url\(\s*["']?(?!data:|#)/i.test(style));
      equal('styles that load other files', reaching.length, 0);
      const links = [...text.matchAll(/<link\b[^>]*\bhref\s*=\s*["']?([^"'\s>]+)/gi)].map((match) => match[1]);
      const loaded = links.filter((link) => link !== '/style.css' && !link?.startsWith('data:'));
      equal('other files that it loads', loaded, []);
      const images = [...text.matchAll(/<(?:img|iframe|object|embed)\b[^>]*\b(?:src|data)\s*=\s*["']?(?!data:)/gi)];
      equal('images and frames from elsewhere', images.length, 0);
    },
    { shared: library },
  ),
];
