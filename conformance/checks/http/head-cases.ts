import { answered, type HttpCase, type HttpService, host, readWhole, refused, rows } from './case.ts';

export function requestLines({ get, unknownMethod }: HttpService): HttpCase[] {
  const withHost = (line: string) => `${line}\r\n${host}\r\n`;
  const bad = [
    'nonsense',
    'GET',
    `GET ${get}`,
    `GET\t${get} HTTP/1.1`,
    `GET ${get}\tHTTP/1.1`,
    `GET ${get} HTTP/1.1 `,
    ` GET ${get} HTTP/1.1`,
    `GET ${get} HTTP/1.1 HTTP/1.1`,
    `get ${get} HTTP/1.1`,
    `G(T ${get} HTTP/1.1`,
    `G\0T ${get} HTTP/1.1`,
    `GET ${get} HTTP/1.2`,
    `GET ${get} HTTP/0.9`,
    `GET ${get} HTTP/2.0`,
    `GET ${get} HTTP/11`,
    `GET ${get} HTTP/1`,
    `GET ${get} HTTP/1.1x`,
    `GET ${get} http/1.1`,
    `GET ${get} HTTPS/1.1`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc',
    '\x80\x80\x80',
    `\xef\xbb\xbfGET ${get} HTTP/1.1`,
  ];
  const others = ['TRACE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'DELETE'];
  return [
    ...rows('request line', refused, bad.map(withHost)),
    ...rows(
      'method',
      [unknownMethod, 200],
      others.map((method) => withHost(`${method} ${get} HTTP/1.1`)),
    ),
    ...rows('method', [unknownMethod], [withHost(`BREW ${get} HTTP/1.1`), withHost('CONNECT a:80 HTTP/1.1')]),
    // RFC 9112 allows a server to skip an empty line before the request and to accept several spaces.
    ...rows(
      'request line',
      answered,
      ['\r\nGET / HTTP/1.1', 'GET  / HTTP/1.1', 'GET /  HTTP/1.1'].map((line) => withHost(line.replace('/', get))),
    ),
  ];
}

export function targets({ get, unknownMethod }: HttpService): HttpCase[] {
  const asked = (target: string) => `GET ${target} HTTP/1.1\r\n${host}\r\n`;
  const same = [`${get}?`, `${get}?a=b&%00`, `${get}?${'x'.repeat(8000)}`, `http://localhost${get}`];
  const nowhere = [
    '*',
    '//',
    `/${get}`,
    `${get}/`,
    `${get}%00`,
    `${get}%zz`,
    `${get}%20`,
    `${get};x`,
    `/..${get}`,
    `/%2e%2e${get}`,
    `/.${get}`,
    `${get}\\`,
    get.toUpperCase(),
    `http://localhost/${get}`,
    `ftp://localhost${get}`,
  ];
  const bad = [
    get.slice(1),
    `${get}\0`,
    `${get}\x01`,
    `${get}\x7f`,
    `${get} x`,
    `/${'x'.repeat(20_000)}`,
    'localhost:80',
  ];
  return [
    ...rows('target', answered, same.map(asked)),
    ...rows('target', [404, 200], nowhere.map(asked)),
    ...rows('target', refused, bad.map(asked)),
    ...rows('target', [unknownMethod, 200], [`OPTIONS * HTTP/1.1\r\n${host}\r\n`]),
  ];
}

export function headers({ get }: HttpService): HttpCase[] {
  const line = `GET ${get} HTTP/1.1\r\n`;
  const bad = [
    'no colon',
    ': no name',
    'X : blank before the colon',
    ' X: blank before the name',
    'X Y: blank in the name',
    'X\0: y',
    'X(: y',
    '\x80: y',
    'X: a\0b',
    'X: a\x01b',
    'X: a\x7fb',
    'X: a\rb',
    'X: a\n b',
    `X: ${'y'.repeat(20_000)}`,
    `${'X'.repeat(20_000)}: y`,
    `X: y\r\n${'a: b\r\n'.repeat(4000)}Z: y`,
  ];
  const good = ['X:', 'X:\t y \t', 'X: \x80\xff', `X: ${'y'.repeat(12_000)}`, "!#$%&'*+-.^_`|~: y", 'X: y\r\nX: y'];
  const hosts = ['', `${host}${host}`, `${host}HOST: other\r\n`];
  return [
    ...rows(
      'header',
      refused,
      bad.map((header) => `${line}${host}${header}\r\n\r\n`),
    ),
    ...rows(
      'header',
      answered,
      good.map((header) => `${line}${host}${header}\r\n\r\n`),
    ),
    ...rows(
      'hosts',
      refused,
      hosts.map((header) => `${line}${header}\r\n`),
    ),
    ...rows('line ends', refused, [`GET ${get} HTTP/1.1\n${host}\n`, `GET ${get} HTTP/1.1\r${host}\r`]),
    ...rows('folded header', refused, [`${line}${host}X: a\r\n b\r\n\r\n`, `${line} X: a\r\n${host}\r\n`]),
  ];
}

export function connections({ get, post }: HttpService): HttpCase[] {
  const asked = (headers = '', version = '1.1') => `GET ${get} HTTP/${version}\r\n${host}${headers}\r\n`;
  const posted = `POST ${post} HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`;
  const apart = (text: string) => [...text].flatMap((character) => [character, 1]);
  return [
    ...rows('pipelined', [200, 400, 200, 200], [asked() + posted + asked()]),
    ...rows('pipelined', [200, 200, 400], [`${asked()}${asked()}nonsense\r\n\r\n${asked()}`]),
    ...rows('pipelined', [...Array(100).fill(200), 200], [asked().repeat(100)]),
    ...rows('the last', [200], [asked('Connection: close\r\n'), asked('Connection: x, CLOSE\r\n'), asked('', '1.0')]),
    ...rows('not the last', answered, [asked('Connection: keep-alive\r\n', '1.0')]),
    ...rows(
      'an upgrade',
      [200],
      [
        asked('Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
        asked('Connection: upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      ],
    ),
    ...rows('the last without a host', [200], [`GET ${get} HTTP/1.0\r\n\r\n`]),
    { name: 'a GET byte by byte', parts: apart(asked()), statuses: answered },
    { name: 'a POST byte by byte', parts: apart(posted), statuses: readWhole },
    { name: 'an end after a request', parts: [asked()], statuses: [200], ends: true },
    { name: 'an end after two', parts: [asked() + posted], statuses: [200, 400], ends: true },
    { name: 'an end without a request', parts: [], statuses: [], ends: true },
    { name: 'an end in a request line', parts: ['GET /'], statuses: refused, ends: true },
    { name: 'an end in a header', parts: [asked().slice(0, -6)], statuses: refused, ends: true },
    { name: 'an end in a body', parts: [posted.slice(0, -1)], statuses: refused, ends: true },
  ];
}
