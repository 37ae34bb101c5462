import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageRoot } from '../../../spec/package-root.ts';
import { readRegister } from '../../../spec/register.ts';
import { buildDocs } from './main.ts';
import { addressFrom } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-docs-'));
after(() => rmSync(folder, { recursive: true, force: true }));
buildDocs(folder);

const files = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
/** The pages without the data of the references. */
const pages = new Map(
  files
    .filter((file) => file.endsWith('.html'))
    .map((file) => [file, read(file).replaceAll(/<script type="application\/json"[\s\S]*?<\/script>/g, '')]),
);
const valuesOf = (text: string, attribute: string) =>
  [...text.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );
const idsOf = new Map([...pages].map(([file, text]) => [file, valuesOf(text, 'id')]));

for (const [file, text] of pages) {
  test(`${file}: every link inside the site leads somewhere, and every id is there once`, () => {
    const lost = valuesOf(text, 'href').filter((href) => {
      if (/^https?:/.test(href)) return false;
      const [target = '', anchor] = href.split('#');
      const ids = idsOf.get(target === '' ? file : target);
      return anchor === undefined ? !files.includes(target) : ids?.includes(anchor) !== true;
    });
    assert.deepEqual(lost, []);
    const ids = idsOf.get(file) ?? [];
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  test(`${file}: it loads nothing from outside the folder, and has one first heading`, () => {
    const links = [...text.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
    const loaded = [...valuesOf(text, 'src'), ...links];
    assert.deepEqual(
      loaded.filter((name) => !files.includes(name)),
      [],
    );
    assert.doesNotMatch(text, /<(img|iframe|object|embed|video|audio|form)\b|@import/);
    // Redoc adds that of a reference.
    assert.equal(text.split('<h1').length - 1, text.includes('id="reference"') ? 0 : 1);
  });
}

test('styles and scripts name no address of the network that a browser would load', () => {
  assert.doesNotMatch(read('docs.css') + read('reference.js'), /https?:|url\(|@import/);
  const redoc = read('redoc.standalone.js');
  for (const address of ['https://cdn', 'fonts.googleapis', '\n//# sourceMappingURL']) {
    assert.ok(!redoc.includes(address), address);
  }
});

test('every requirement, choice and check has an anchor', () => {
  const anchors = new Set([...idsOf.values()].flat());
  const rules = (['box', 'gateway'] as const).flatMap((service) => readRegister(service));
  const checks: { id: string }[] = JSON.parse(readFileSync(join(packageRoot, 'spec/checks.json'), 'utf8')).checks;
  const ids = [...rules, ...checks].map(({ id }) => id);
  assert.deepEqual(
    ids.filter((id) => !anchors.has(id)),
    [],
  );
});

for (const [href, address] of [
  ['README.md#running-it', 'suite.html#running-it'],
  ['../spec/box.md', 'box-requirements.html'],
  ['#here', '#here'],
  ['https://example.org/', 'https://example.org/'],
  ['main.ts', null],
  ['javascript:alert(1)', null],
] as const) {
  test(`a link to ${href} in a guide`, () => assert.equal(addressFrom('conformance/IMPLEMENTERS.md', href), address));
}
