import { equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { renderPage } from './render.ts';

const { html, headers } = renderPage('1.2.3');
const policy = headers['Content-Security-Policy'] ?? '';
const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
const [, first = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';

test('allows exactly its own scripts and style to run', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  ok(script.length > 1000 && style.length > 1000);
  ok(policy.includes(`script-src ${hash(first)} ${hash(script)};`));
  ok(policy.includes(`style-src 'self' ${hash(style)};`));
  ok(!policy.includes('unsafe'));
});

test('has no inline handler, which the policy would refuse', () => {
  equal(/<[^<>]+\s(on\w+|style)=/.exec(html.replace(script, '').replace(style, '')), null);
});

test('carries its version, as text', () => {
  match(html, /<meta name="boxgate-version" content="1\.2\.3">/);
  match(renderPage('1"><b>').html, /content="1&quot;>&lt;b>"/);
});

test('says what is missing where scripts are switched off', () => {
  match(html, /<noscript>\s*<p>This page needs JavaScript/);
});
