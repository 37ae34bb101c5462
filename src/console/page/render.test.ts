import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import packageFile from '../../../package.json' with { type: 'json' };
import { isPackaged } from '../../build/release/package-files.ts';
import { consoleModules, renderConsole } from './render.ts';

const { html } = renderConsole('1.2.3');
const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';

test('the console is one document, and every name of its script is there once', () => {
  equal(/^(import|export)\b/m.exec(script), null);
  new Script(`(async () => {${script}})`);
  ok(!script.includes('</script'));
  const loaded = [...html.replace(script, '').matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url);
  deepEqual(loaded, ['data:,', '/style.css', '/', '/apps', '/settings/']);
});

test('each module follows those that it imports, and none is left out', () => {
  const src = join(import.meta.dirname, '../..');
  const seen = new Set<string>();
  for (const name of consoleModules) {
    const text = readFileSync(join(src, name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/^import [^;]*'(\.[^']+)';/gm)) {
      const path = relative(src, join(src, dirname(name), imported));
      ok(seen.has(path), `${name} imports ${imported}`);
    }
    seen.add(name);
  }
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
