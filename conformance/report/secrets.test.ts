import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type { Exchange } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import type { Journal } from '../kernel/journal.ts';
import { describeFailure } from './failure.ts';
import { reports } from './reports.ts';
import { cleaner, secretsIn } from './secrets.ts';
import { anyText, facts, result, ruleIds } from './testing/results.ts';

// A fixed seed, so that the build does not fail by chance.
fc.configureGlobal({ seed: 20261121 });

const secret = anyText({ minLength: 12, maxLength: 40 }).filter((text) => text.isWellFormed());

test('hides a secret in every spelling', () => {
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
      const clean = cleaner([hidden]);
      const spellings = [
        hidden,
        JSON.stringify(hidden),
        JSON.stringify({ deep: JSON.stringify({ hidden }) }),
        encodeURIComponent(hidden),
        Buffer.from(hidden).toString('base64'),
      ];
      for (const spelling of spellings) {
        const text = clean(`${before} ${spelling} ${after}`);
        assert.ok(!text.includes(hidden) && !text.includes(spelling.slice(1, -1)), text);
      }
    }),
  );
});

test('hides the prefix of a secret at the end of a cut text', () => {
  const clean = cleaner(['correct-horse-battery-staple']);
  assert.equal(clean('its token is correct-horse-b'), 'its token is [secret]');
});

test('does not change a text without a secret', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.equal(cleaner(['correct-horse-battery-staple', ''])(text), text);
    }),
  );
});

/** An exchange with the secret in every place that can contain one. */
function leaky(hidden: string) {
  const text = JSON.stringify({ box_token: hidden, tunnel: `[Interface]\nPrivateKey = ${hidden}\n` });
  return {
    method: 'POST',
    path: `/v1/boxes/${encodeURIComponent(hidden)}/heartbeat`,
    requestHeaders: { Authorization: `Bearer ${hidden}`, Cookie: `session=${hidden}` },
    requestBody: Buffer.from(JSON.stringify({ registration_token: hidden, box_name: 'x' })),
    status: 200,
    headers: { 'set-cookie': `session=${hidden}; HttpOnly`, location: `/${hidden}` },
    body: Buffer.from(text),
    text,
    json: JSON.parse(text),
  };
}

const journalOf = (one: Exchange): Journal => [
  {
    by: 'request',
    request: { method: one.method, path: one.path, headers: one.requestHeaders, body: one.requestBody },
    response: one,
  },
  { by: 'bytes', request: { parts: [one.requestBody, 5, one.path] }, exchange: null },
];

const token = fc.stringMatching(/^[A-Za-z0-9_-]{16,64}$/);
const [rule = ''] = ruleIds;

function everyReport(hidden: string, secrets: string[]): string[] {
  const error = new CheckFailed(`wrong: ${hidden}`, { hidden }, JSON.stringify({ token: hidden }).slice(0, 25));
  const failure = describeFailure(error, {
    exchanges: [leaky(hidden)],
    journal: journalOf(leaky(hidden)),
    secrets,
    processes: [],
  });
  const failed = { ...result('leak', [rule], 'fail'), ...failure };
  return Object.values(reports).map((write) => write([failed], facts));
}

test('no report contains a secret, whether a check hid it or its name identifies it', () => {
  fc.assert(
    fc.property(token, fc.boolean(), (hidden, isKnown) => {
      for (const text of everyReport(hidden, isKnown ? [hidden] : [])) {
        assert.ok(!text.includes(hidden), text);
        assert.ok(!text.includes(hidden.slice(0, 12)), text);
      }
    }),
  );
});

test('finds the secrets of an exchange by their names', () => {
  const hidden = 'correct-horse-battery-staple';
  assert.deepEqual([...new Set(secretsIn(leaky(hidden)))], [hidden]);
});

test('does not hide short words', () => {
  assert.equal(cleaner(['', 'string'])('{"type":"string"}'), '{"type":"string"}');
});

test('shows the authentication scheme, and that there was a token', () => {
  const { exchanges } = describeFailure(new Error('x'), {
    exchanges: [leaky('a'.repeat(20))],
    journal: [],
    secrets: [],
    processes: [],
  });
  assert.equal(exchanges[0]?.request_headers.Authorization, 'Bearer [secret]');
  assert.ok(!inspect(exchanges).includes('a'.repeat(20)));
});
