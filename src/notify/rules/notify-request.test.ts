import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskAddress, messageRequest, notifyAddressFault, shownAddress } from './notify-request.ts';

const message = { title: 'boxgate on attic', text: 'notes is down.' };
const gotify = { title: message.title, message: message.text };

test('makes the request that the other side takes', () => {
  const cases: [string, string | null][] = [
    ['https://ntfy.sh/my-topic', null],
    ['http://192.0.2.7:8080/hooks/abc?token=secret', null],
    ['https://push.example.org/message?token=A1b2', JSON.stringify(gotify)],
    ['http://nas.local/gotify/message?token=A1b2', JSON.stringify(gotify)],
    ['https://ntfy.sh/message', null],
  ];
  for (const [address, json] of cases) {
    const { headers, body } = messageRequest(address, message);
    assert.equal(body, json ?? message.text, address);
    assert.equal(headers.Title, json === null ? message.title : undefined);
  }
});

test('encodes a title that no header can have', () => {
  const { headers } = messageRequest('https://ntfy.sh/t', { title: 'boxgate on häuschen\r\nX: y', text: '' });
  assert.match(headers.Title ?? '', /^=\?UTF-8\?B\?[\w+/=]+\?=$/);
});

test('takes addresses of the web only', () => {
  const good = ['https://ntfy.sh/t', 'http://user:pass@10.0.0.2:80/', 'https://me:50%25@push.example.org/%'];
  for (const address of good) assert.equal(notifyAddressFault(address), null, address);
  for (const bad of ['', 'ntfy.sh/t', 'file:///etc/passwd', 'https://', `https://a/${'x'.repeat(2048)}`])
    assert.match(notifyAddressFault(bad) ?? '', /^expected an address that begins with https/, bad);
});

test('refuses a user or password that cannot be sent', () => {
  for (const login of ['me:50%', '%zz:pw', 'me:%ff']) {
    assert.match(
      notifyAddressFault(`https://${login}@push.example.org/t`) ?? '',
      /^expected %25 in place of a %/,
      login,
    );
  }
  for (const login of ['me:SECRET/x', 'me:SECRET#x', 'me:SECRET?', 'me:SECRET\\x'])
    assert.match(notifyAddressFault(`https://${login}@push.example.org/t`) ?? '', /^expected %2F, [^S]+$/, login);
});

test('sends to Discord, Slack and Telegram in their form, and refuses addresses of theirs that take none', () => {
  const text = 'notes <1> & more';
  const sent = `boxgate on attic\n${text}`;
  const discord = { content: sent, allowed_mentions: { parse: [] } };
  const cases: [string, object][] = [
    ['https://discord.com/api/webhooks/123/a-B_c', discord],
    ['https://canary.discord.com/api/v10/webhooks/123/abc?wait=true', discord],
    ['http://192.0.2.7/api/webhooks/123/abc', discord],
    ['https://hooks.slack.com/services/T0/B0/abc', { text: 'boxgate on attic\nnotes &lt;1&gt; &amp; more' }],
    ['https://api.telegram.org/bot12:a-B/sendMessage?chat_id=-5', { chat_id: '-5', text: sent }],
  ];
  for (const [address, body] of cases) {
    assert.equal(notifyAddressFault(address), null, address);
    const request = messageRequest(address, { ...message, text });
    assert.deepEqual([request.headers, JSON.parse(request.body)], [{ 'Content-Type': 'application/json' }, body]);
  }
  for (const [address, form] of [
    ['https://discord.com/channels/1/2', 'https://discord.com/api/webhooks/ID/TOKEN'],
    ['https://discord.com/api/webhooks/123/abc/github', 'https://discord.com/api/webhooks/ID/TOKEN'],
    ['https://hooks.slack.com/workflows/T0/A0/1/x', 'https://hooks.slack.com/services/T…/B…/TOKEN'],
    ['https://api.telegram.org/bot12:a-B', 'https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID'],
    [
      'https://api.telegram.org/bot12:a-B/sendMessage?chat_id=',
      'https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID',
    ],
  ] as const) {
    assert.ok(notifyAddressFault(address)?.startsWith(`expected an address of the form ${form}: `), address);
  }
});

test('shows nothing of an address but its host', () => {
  assert.equal(shownAddress('https://me:pw12@push.example.org:8443/message?token=A1b2'), 'push.example.org:8443');
});

test('masks what an answer repeats of the address', () => {
  const address = 'https://me42:pw%2012@push.example.org/message?token=A1b2c3';
  for (const part of [address, 'A1b2c3', 'me42', 'pw%2012', 'pw 12']) {
    assert.equal(maskAddress(`no ${part}!`, address), 'no ***!');
  }
  assert.equal(maskAddress('{"topic":"topic-xyz"}', 'https://ntfy.sh/topic-xyz%'), '{"topic":"topic-xyz"}');
  assert.equal(maskAddress('no bot1234:Abcd-e', 'https://t.example/bot1234:Abcd-e/x'), 'no ***:***');
  assert.equal(maskAddress('{"topic":"topic-xyz"}', 'https://ntfy.sh/topic-xyz'), '{"topic":"***"}');
});
