import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotifyAddress, maskAddress, messageRequest, shownAddress } from './notify-request.ts';

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
  for (const good of ['https://ntfy.sh/t', 'http://user:pass@10.0.0.2:80/']) assert.ok(isNotifyAddress(good), good);
  for (const bad of ['', 'ntfy.sh/t', 'file:///etc/passwd', 'https://', `https://a/${'x'.repeat(2048)}`])
    assert.equal(isNotifyAddress(bad), false, bad);
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
  assert.equal(maskAddress('{"topic":"topic-xyz"}', 'https://ntfy.sh/topic-xyz'), '{"topic":"***"}');
});
