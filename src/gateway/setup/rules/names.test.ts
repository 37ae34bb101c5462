import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainProblem, mailProblem } from './names.ts';

test('takes a domain alone, and says what of another text is too much', () => {
  for (const good of ['example.org', 'Home.Example.co.uk', 'xn--mnchen-3ya.de', 'a1-b.example']) {
    assert.equal(domainProblem(good), null, good);
  }
  for (const [text, said] of [
    ['https://example.org', /without https/],
    ['example.org/path', /without a path/],
    ['*.example.org', /without the \*/],
    ['example.org:443', /without a port/],
    ['example.org.', /without the dot/],
    ['me@example.org', /without the @/],
    ['example .org', /without blanks/],
    ['münchen.de', /begins with xn--/],
    ['-a.example.org', /letters, digits/],
    ['my_home.example.org', /letters, digits/],
    ['', /letters, digits/],
    ['localhost', /public domain/],
    ['203.0.113.5', /public domain/],
    [`${'a.'.repeat(120)}org`, /longer than/],
  ] as const) {
    assert.match(domainProblem(text) ?? '', said, text);
  }
});

test('takes a mail address that an authority takes', () => {
  assert.equal(mailProblem('ada+gw@mail.my-domain.org'), null);
  for (const text of ['', 'ada', 'ada@', 'ada@host', 'a da@x.org', "a'b@x.org", `${'a'.repeat(250)}@x.org`]) {
    assert.match(mailProblem(text) ?? '', /a mail address is needed/, text);
  }
  assert.match(mailProblem('you@example.org') ?? '', /refuses/);
});
