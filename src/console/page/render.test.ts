import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import packageFile from '../../../package.json' with { type: 'json' };
import { pageModules, renderPage } from '../../box/page/render.ts';
import { isPackaged } from '../../build/release/package-files.ts';
import { consoleModules, renderConsole } from './render.ts';

const src = join(import.meta.dirname, '../..');
const scriptOf = (html: string) => /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
const documents = {
  console: {
    html: renderConsole('1.2.3', [{ path: 'box', title: 'Box', group: 'box', waiting: 'a "<b>' }, { path: 'undo/' }])
      .html,
    modules: consoleModules,
  },
  page: { html: renderPage('1.2.3').html, modules: pageModules.map((name) => join('box/page', name)) },
};

for (const [what, { html, modules }] of Object.entries(documents)) {
  test(`the ${what} is one script: no module left out, no import left in, no name there twice`, () => {
    const script = scriptOf(html);
    equal(/^(import|export)\b/m.exec(script), null);
    new Script(`(async () => {${script}})`);
    ok(!script.includes('</script'));
  });

  test(`each module of the ${what} follows those that it imports`, () => {
    const seen = new Set<string>();
    for (const name of modules) {
      const text = readFileSync(join(src, name), 'utf8');
      for (const [, imported = ''] of text.matchAll(/^import [^;]*'(\.[^']+)';/gm)) {
        ok(seen.has(join(dirname(name), imported)), `${name} imports ${imported}`);
      }
      seen.add(name);
    }
  });
}

test('the console loads the shared style and nothing else', () => {
  const { html } = documents.console;
  const loaded = [...html.replace(scriptOf(html), '').matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, url]) => url);
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
    [...files, ...consoleModules].filter((name) => !isPackaged(`src/${name}`, packageFile.files)),
    [],
  );
});
