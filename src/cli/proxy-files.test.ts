/** The files that deploy/proxy serves beside the box agree with the page and with the settings. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderPage } from '../box/page/render.ts';
import { packageRoot } from '../package-root.ts';
import { boxSettings } from './settings/box-settings.ts';

const proxy = join(packageRoot, 'deploy/proxy');
const settingsPage = readFileSync(join(proxy, 'settings/index.html'), 'utf8');
const boxPage = renderPage('1.0.0').html;
const nginx = readFileSync(join(proxy, 'nginx.conf'), 'utf8');
const caddy = readFileSync(join(proxy, 'Caddyfile'), 'utf8');

/** The paths that the links of a page lead to. */
function linksOf(page: string): string[] {
  return [...new Set([...page.matchAll(/href="(\/[^"#]*)/g)].map(([, path = '']) => path))];
}

test('both proxy files serve whatever the pages link to', () => {
  const links = linksOf(boxPage + settingsPage);
  assert.deepEqual(links.sort(), ['/', '/apps', '/settings/', '/style.css']);
  for (const path of ['/style.css', '/']) {
    assert.ok(caddy.includes(`\n\thandle ${path} {\n`), path);
    assert.ok(nginx.includes(`\n    location = ${path} {\n`), path);
  }
  assert.match(caddy, /^\thandle \/settings\/\* \{\n\t\treverse_proxy 127\.0\.0\.1:7001$/m);
  assert.match(nginx, /^ {4}location \/settings\/ \{\n {8}proxy_pass http:\/\/127\.0\.0\.1:7001;$/m);
  for (const text of [caddy, nginx]) assert.match(text, /\/opt\/boxgate\/current\/deploy\/proxy[;\n]/);
  assert.ok(existsSync(join(proxy, 'style.css')));
});

test('the login of the Caddyfile has the word that Caddy 2.6 and later ones take', () => {
  assert.match(caddy, /^\t#basicauth \{\n\t#\towner HASH\n\t#\}$/m);
});

test("the gateway's Traefik cuts no upload, and has the API that the doctor asks", () => {
  for (const name of ['compose.yaml', 'parts.yaml', 'README.md']) {
    const text = readFileSync(join(packageRoot, 'deploy/gateway', name), 'utf8');
    assert.match(text, / --entrypoints\.websecure\.transport\.respondingTimeouts\.readTimeout=0$/m);
    assert.match(text, / --entrypoints\.traefik\.address=127\.0\.0\.1:8082\s/);
    assert.match(text, / --api\.insecure=true\s/);
  }
});

test('gateway setup starts images that are known by their digest, and keeps no certificate for trials', () => {
  const text = readFileSync(join(packageRoot, 'deploy/gateway/parts.yaml'), 'utf8');
  const images = [...text.matchAll(/^ {4}image: (.+)$/gm)].map(([, image = '']) => image);
  assert.equal(images.length, 2);
  assert.match(text, /^ {4}tmpfs: \[\/acme\/trial\]$/m);
  for (const image of images) assert.match(image, /^[a-z./-]+:v?\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
});

test('the settings page names only existing settings', () => {
  const known = new Set(Object.values(boxSettings).map(({ variable }) => variable));
  const named = [...settingsPage.matchAll(/\bBOX_[A-Z_]+\b/g)].map(([name]) => name);
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test('the settings page needs no script and nothing from elsewhere', () => {
  assert.doesNotMatch(settingsPage, /<script|style=|https?:\/\//i);
});

test('the shared style sheet does not affect the page of the box', () => {
  const css = readFileSync(join(proxy, 'style.css'), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = [...css.matchAll(/^ *([^\s{}@][^{}@:]*(?::[^{}:;]+)*) \{$/gm)].map(([, text = '']) => text);
  assert.ok(selectors.length > 10);
  assert.deepEqual(
    selectors.filter((one) => one !== ':root' && !one.startsWith('.plain')),
    [],
  );
  assert.doesNotMatch(boxPage, /class="[^"]*\bplain\b/);
});
