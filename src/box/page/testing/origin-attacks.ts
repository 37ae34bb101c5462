import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answered request, as the proxy saw it. */
type Passed = { method: string; way: string; host: string; status: number };

/** A proxy between browser and box that forwards everything and also serves an attacker's pages. */
export type Front = {
  port: number;
  passed: Passed[];
  /** Resolves when a request of this attack was answered; rejects after a minute without one. */
  arrival: (way: string) => Promise<unknown>;
  close: () => Promise<unknown>;
};

/**
 * Starts a proxy for the box on `boxPort`, on a free port of the loopback address. `rewrite` changes the headers;
 * without changes the proxy acts like direct access.
 */
export async function startFront(
  boxPort: number,
  rewrite: (headers: Record<string, string>) => Record<string, string>,
): Promise<Front> {
  const passed: Passed[] = [];
  const waiting = new Map<string, () => void>();
  const server = createServer((asked, response) => {
    if (asked.url?.startsWith('/attack/')) serveAttack(asked, response);
    else passOn(asked, response);
  });

  function passOn(asked: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = asked;
    const options = { port: boxPort, method, path, headers: rewrite(headers as Record<string, string>) };
    const onward = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
      answer.on('end', () => {
        const way = new URL(path, 'http://box').searchParams.get('way') ?? '';
        passed.push({ method, way, host: headers.host ?? '', status: answer.statusCode ?? 0 });
        waiting.get(way)?.();
      });
    });
    onward.on('error', () => response.destroy());
    asked.pipe(onward);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    passed,
    arrival: (way) =>
      new Promise<void>((resolve, reject) => {
        waiting.set(way, resolve);
        setTimeout(() => reject(new Error(`nothing reached the box by: ${way}`)), 60_000).unref();
        if (passed.some((one) => one.way === way)) resolve();
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
      return once(server, 'close');
    },
  };
}

/** `/attack/page` is an empty page; `/attack/redirect?to=` and `/attack/report?to=` send the browser to the box. */
function serveAttack(asked: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(asked.url ?? '', 'http://attack');
  const to = searchParams.get('to') ?? '';
  asked.resume();
  if (pathname === '/attack/redirect') response.writeHead(307, { Location: to }).end();
  else if (pathname === '/attack/report') {
    const policy = `img-src 'none'; report-uri ${to}`;
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy });
    response.end('<img src="/attack/image">');
  } else response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><body>');
}

/** Helpers for the attacks. They run in the attacker's page. */
type Tools = {
  /** Returns the text of a script that sends a POST. */
  post: (url: string, body: string) => string;
  /** Returns the text of a page that runs a script. */
  page: (script: string) => string;
  frame: (attributes: Record<string, string>) => HTMLIFrameElement;
  /** Submits a form whose text/plain body is JSON that names the app. */
  submit: (attributes: Record<string, string>, isEmpty?: boolean) => void;
};

declare const tools: Tools;

/** Runs in the attacker's page before anything else. */
export function defineTools(): void {
  const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Record<string, string>) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const shared: Tools = {
    post: (url, body) =>
      `fetch(${JSON.stringify(url)}, { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(body)} })`,
    page: (script) => `<!doctype html><body><script>${script}</script>`,
    frame: (attributes) => document.body.appendChild(make('iframe', attributes)),
    submit: (attributes, isEmpty = false) => {
      const form = make('form', { method: 'post', enctype: 'text/plain', ...attributes });
      if (!isEmpty) form.append(make('input', { name: '{"name":"cairn","x":"', value: '"}' }));
      if (!attributes.target) tools.frame({ name: attributes.action ?? '' });
      if (!attributes.target) form.target = attributes.action ?? '';
      document.body.append(form);
      form.submit();
    },
  };
  Object.assign(globalThis, { tools: shared });
}

type Way = (url: string, body: string) => unknown;

/** Paths of one command that needs a body, and of two that ignore it. */
export const remove = '/api/apps/remove';
const update = '/api/apps/cairn/update';
const selfUpdate = '/api/self/update/apply';

/** Ways for a page to make its visitor's browser send a request to another address, one for each set of headers. */
export const ways: Record<string, [path: string, run: Way]> = {
  'no-cors fetch': [remove, (url, body) => fetch(url, { method: 'POST', mode: 'no-cors', body })],
  'fetch without a body': [selfUpdate, (url) => fetch(url, { method: 'POST', mode: 'no-cors' })],
  'fetch without a referrer': [
    remove,
    (url, body) => fetch(url, { method: 'POST', mode: 'no-cors', referrerPolicy: 'no-referrer', body }),
  ],
  'fetch of JSON': [
    remove,
    (url, body) => fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => 0),
  ],
  'fetch that is redirected': [
    remove,
    (url, body) => fetch(`/attack/redirect?to=${encodeURIComponent(url)}`, { method: 'POST', mode: 'no-cors', body }),
  ],
  beacon: [remove, (url, body) => navigator.sendBeacon(url, body)],
  ping: [
    update,
    (url) => {
      const link = document.createElement('a');
      link.ping = url;
      link.href = '#';
      document.body.append(link);
      link.click();
    },
  ],
  'report of a policy': [selfUpdate, (url) => tools.frame({ src: `/attack/report?to=${encodeURIComponent(url)}` })],
  'form of plain text': [remove, (url) => tools.submit({ action: url })],
  'form without a referrer': [remove, (url) => tools.submit({ action: url, target: '_blank', rel: 'noreferrer' })],
  'form that is redirected': [
    remove,
    (url) => tools.submit({ action: `/attack/redirect?to=${encodeURIComponent(url)}` }),
  ],
  'blob frame in a sandbox': [
    remove,
    (url, body) => {
      const page = new Blob([tools.page(tools.post(url, body))], { type: 'text/html' });
      tools.frame({ sandbox: 'allow-scripts', src: URL.createObjectURL(page) });
    },
  ],
  'data frame': [
    remove,
    (url, body) => tools.frame({ src: `data:text/html,${encodeURIComponent(tools.page(tools.post(url, body)))}` }),
  ],
  'frame in a sandbox': [
    remove,
    (url, body) => tools.frame({ sandbox: 'allow-scripts', srcdoc: tools.page(tools.post(url, body)) }),
  ],
  'form in a sandbox': [
    update,
    (url) =>
      tools.frame({
        sandbox: 'allow-scripts allow-forms',
        srcdoc: `<form method="post" action="${url}"></form>${tools.page('document.forms[0].submit()')}`,
      }),
  ],
  'empty window': [
    remove,
    (url, body) => {
      const opened = window.open('about:blank') as (Window & typeof globalThis) | null;
      return opened?.fetch(url, { method: 'POST', mode: 'no-cors', body });
    },
  ],
  worker: [remove, (url, body) => void new Worker(URL.createObjectURL(new Blob([tools.post(url, body)])))],
  WebSocket: [selfUpdate, (url) => void new WebSocket(url.replace('http', 'ws'))],
};
