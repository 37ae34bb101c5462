import { Buffer } from 'node:buffer';
import { type HttpCase, type HttpService, host, readWhole, refused, rows, shown } from './case.ts';

/**
 * If a server and a proxy disagree about the length, the server reads the rest of a body as another client's request.
 */
export function lengths({ get, post, maxBodyBytes }: HttpService): HttpCase[] {
  const smuggled = `GET ${get} HTTP/1.1\r\n${host}\r\n`;
  const posted = (header: string, body = smuggled) => `POST ${post} HTTP/1.1\r\n${host}${header}\r\n\r\n${body}`;
  const length = smuggled.length;
  const bad = [
    ...['x', '-1', '+2', '2.0', '0x2', '2e0', '2,2', '2, 3', '2 2', '', '2\x0b', '99999999999999999999'],
    ...['2\r\nContent-Length: 2', `2\r\nContent-Length: ${length}`],
  ].map((value) => posted(`Content-Length: ${value}`));
  const badEncodings = [
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nTransfer-Encoding: identity',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding: chunked;q=1',
    'Transfer-Encoding: "chunked"',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\x0bchunked',
    'Transfer-Encoding: chun\0ked',
    'Transfer-Encoding: chunked\x80',
    'Transfer-Encoding:',
    'Content-Length : 5',
    'X: y\nTransfer-Encoding: chunked',
    'X: y\rContent-Length: 5',
  ].map((header) => posted(header, `0\r\n\r\n${smuggled}`));
  return [
    ...rows('length', refused, [...bad, ...badEncodings]),
    ...rows('length', [...readWhole, 200], [posted('Content-Length: 0'), posted('Content-Length: 000')]),
    ...rows('length', readWhole, [posted('Content-Length: 2', '{}'), posted(`Content-Length: ${length}`)]),
    ...rows('no header of the length', [400, 400], [posted('Transfer_Encoding: chunked', '0\r\n\r\n')]),
    ...rows('length', [400, 400], [posted('Content-Length: 0', '{}')]),
    ...rows(
      'large',
      [413],
      [
        posted(`Content-Length: ${maxBodyBytes + 1}`),
        posted('Content-Length: 9007199254740993'),
        `GET ${get} HTTP/1.1\r\n${host}Content-Length: ${maxBodyBytes + 1}\r\n\r\n`,
        posted(`Content-Length: ${maxBodyBytes + 1}\r\nExpect: 100-continue`),
      ],
    ),
  ];
}

export function chunks({ post, maxBodyBytes }: HttpService): HttpCase[] {
  const chunked = (body: string) => `POST ${post} HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n${body}`;
  const end = '0\r\n\r\n';
  const good = [
    end,
    `2\r\n{}\r\n${end}`,
    `1\r\n{\r\n1\r\n}\r\n${end}`,
    `2;a=b;c="d"\r\n{}\r\n${end}`,
    `00002\r\n{}\r\n${end}`,
    `A\r\n{       \r\n\r\n${end}`,
    '2\r\n{}\r\n0\r\nX: y\r\nHost: other\r\nExpect: 100-continue\r\n\r\n',
  ];
  const bad = [
    'x\r\n',
    '-2\r\n{}\r\n',
    '0x2\r\n{}\r\n',
    '2 \r\n{}\r\n',
    ' 2\r\n{}\r\n',
    '\r\n{}\r\n',
    ';a\r\n{}\r\n',
    '2\n{}\r\n',
    '2\r{}\r\n',
    '2\r\n{}',
    '2\r\n{}\n',
    '2\r\n{}0\r\n\r\n',
    '1\r\n{}\r\n',
    '3\r\n{}\r\n',
    'fffffffffffffffff\r\n{}',
    '2\r\n{}\r\n0\r\nno colon\r\n\r\n',
    '2\r\n{}\r\n0\r\nX\0: y\r\n\r\n',
    '2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n',
    `2;${'x'.repeat(20_000)}\r\n{}\r\n`,
    `2\r\n{}\r\n0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  ];
  const large = (maxBodyBytes + 1).toString(16);
  return [
    ...rows(
      'chunks',
      readWhole,
      good.map((body) => chunked(body)),
    ),
    ...rows(
      'chunks',
      refused,
      bad.map((body) => chunked(body + end)),
    ),
    ...rows('chunks', [413], [chunked(`${large}\r\n${'x'.repeat(maxBodyBytes + 1)}\r\n`)]),
    ...rows('chunks of HTTP/1.0', refused, [chunked(`2\r\n{}\r\n${end}`).replace('HTTP/1.1', 'HTTP/1.0')]),
  ];
}

export function bodies({ post }: HttpService): HttpCase[] {
  const head = (body: Buffer, more = '') =>
    `POST ${post} HTTP/1.1\r\n${host}${more}Content-Length: ${body.length}\r\n\r\n`;
  const texts = [
    ...['{', '}', '[]', 'null', 'true', '1', '"x"', ' ', '{}x', '{"a":1,}', "{'a':1}", '{/**/}', 'NaN', '\0'],
    ...['{"a":1e999}', `{"a":${'9'.repeat(50_000)}}`, `{"a":"${'\\u0000'.repeat(1000)}"}`, '{"a":"\\ud800"}'],
    ...['{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":{"name":"x"}}}', '{"name":"x","name":null}'],
    ...['['.repeat(30_000), '{"a":'.repeat(10_000), `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ...[`{${'"a":1,'.repeat(5000)}"a":2}`, `{"${'a'.repeat(50_000)}":1}`],
  ].map((text) => Buffer.from(text));
  const binary = [
    Buffer.of(0x22, 0xc0, 0xaf, 0x22),
    Buffer.of(0x22, 0xed, 0xa0, 0x80, 0x22),
    Buffer.of(0x22, 0xf5, 0x80, 0x80, 0x80, 0x22),
    Buffer.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0),
    Buffer.of(0xfe, 0xff, 0, 0x7b, 0, 0x7d),
    Buffer.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
    Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3),
  ];
  const whole = [...texts, ...binary].map((body) => ({
    name: `body ${shown(body.toString('latin1'))}`,
    parts: [head(body), body],
    statuses: readWhole,
  }));
  const empty = Buffer.from('{}');
  return [
    ...whole,
    {
      name: 'a body that waits',
      parts: [head(empty, 'Expect: 100-Continue\r\n'), empty],
      statuses: [100, ...readWhole],
    },
    { name: 'another expectation', parts: [head(empty, 'Expect: x\r\n'), empty], statuses: readWhole },
    {
      name: 'an expectation of HTTP/1.0',
      parts: [head(empty, 'Expect: 100-continue\r\n').replace('HTTP/1.1', 'HTTP/1.0'), empty],
      statuses: refused,
    },
  ];
}
