import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import packageFile from '../../../package.json' with { type: 'json' };
import { modulesOf, renderPage } from '../../box/page/render.ts';
import { isPackaged } from '../../build/release/package-files.ts';
import { renderConsole } from './render.ts';

const scriptOf = (html: string) => /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
const consoleHtml = renderConsole('1.2.3', [
  { path: 'box', title: 'Box', group: 'box', waiting: 'a "<b>' },
  { path: 'undo/' },
]).html;

for (const [what, html] of Object.entries({ console: consoleHtml, page: renderPage('1.2.3').html })) {
  test(`the ${what} is one script: no module left out, no import left in, no name there twice`, () => {
    const script = scriptOf(html);
    equal(/^(import|export)\b/m.exec(script), null);
    new Script(`(async () => {${script}})`);
    ok(!script.includes('</script'));
    equal(/\.(?:js|css)"/.exec(html.replace(script, '').replace('/style.css"', '')), null);
  });
}

test('the console loads the shared style and nothing else', () => {
  const loaded = [...consoleHtml.replace(scriptOf(consoleHtml), '').matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(
    ([, url]) => url,
  );
  const rooms = ['backups', 'network', 'storage', 'box'].map((group) => `/settings/#/${group}`);
  deepEqual(
    loaded.filter((url) => !url?.startsWith('data:')),
    ['/style.css', '/', '/apps', ...rooms],
  );
});

test('a package has all files of the page', () => {
  const html = readFileSync(join(import.meta.dirname, 'console.html'), 'utf8');
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
  const styles = links.filter((href) => href.endsWith('.css'));
  const files = [...styles.filter((href) => !href.startsWith('/')), 'console.html'].map((name) =>
    join('console/page', name),
  );
  ok(files.length > 3);
  deepEqual(
    [...files, ...modulesOf('console/page/console.js')].filter((name) => !isPackaged(`src/${name}`, packageFile.files)),
    [],
  );
});
