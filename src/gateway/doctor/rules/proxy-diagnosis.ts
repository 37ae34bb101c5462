import { shownName } from '../../../lib/shown-text.ts';
import type { Route } from '../../ports.ts';
import { routePriority, routerName } from '../../rules/route-file.ts';
import type { Finding, HostAnswer } from './diagnosis.ts';

export type ProxyRouter = {
  name: string;
  status: string;
  error: string;
  rule: string;
  priority: number;
  /** The entry points that serve it. */
  using: readonly string[];
};

/** What the proxy's API shows; `readTimeout` is `null` if the proxy reads a request without a limit. */
export type ProxyState = { readTimeout: string | null; routers: readonly ProxyRouter[] };

type Published = { host: string; route: Pick<Route, 'id'> };

const about = 'the proxy';

/** Compares the proxy's own view with what is published. `suspects` are the other files in the routes directory. */
export function proxyFindings(
  { readTimeout, routers }: ProxyState,
  { entrypoint, published, suspects }: { entrypoint: string; published: readonly Published[]; suspects: string[] },
): Finding[] {
  const known = new Map(routers.map((router) => [router.name, router]));
  const unread = published.filter(({ route }) => !known.has(`${routerName(route)}@file`));
  return [
    ...(readTimeout === null ? [] : [cutFinding(readTimeout, entrypoint)]),
    ...(unread.length === 0 ? [] : [unreadFinding(unread, suspects)]),
    ...published.flatMap(({ host, route }) =>
      [
        ['', `it does not serve ${host}`],
        ['-open', `it asks for a login on all paths of ${host}`],
      ].flatMap(([suffix, found]) => {
        const topic = `${routerName(route)}${suffix}@file`;
        const { status = '', error = '' } = known.get(topic) ?? {};
        return status === 'disabled' ? [{ topic, about, text: `${found}: ${shownName(error)}` }] : [];
      }),
    ),
    ...routers.filter((router) => mayTakeAll(router, entrypoint)).map(takingFinding),
  ];
}

export function cutFinding(after: string, entrypoint: string): Finding {
  const argument = `--entrypoints.${entrypoint}.transport.respondingTimeouts.readTimeout=0`;
  return {
    topic: 'uploads',
    about,
    text: `it cuts uploads that take longer than ${after}: start Traefik with ${argument}`,
  };
}

function unreadFinding(unread: readonly Published[], suspects: readonly string[]): Finding {
  const hosts = `${unread.length} published ${unread.length === 1 ? 'host' : 'hosts'}, such as ${unread[0]?.host}`;
  const among = suspects.length === 0 ? '' : ` (one of ${suspects.slice(0, 10).map(shownName).join(', ')})`;
  return {
    topic: 'unread routes',
    about,
    text: `it does not have the routes of ${hosts}: a file in the routes directory keeps it from reading, and its log names the file${among}; or that directory is another one than at Traefik's start: restart Traefik`,
  };
}

/** A router of somebody else that comes before the published hosts and does not name them. */
function mayTakeAll({ name, rule, priority, using }: ProxyRouter, entrypoint: string): boolean {
  if (!using.includes(entrypoint) || name.endsWith('@internal') || priority <= routePriority) return false;
  return /\bHost(?:Regexp|Header)\(/.test(rule) || !/\bHost\(/.test(rule);
}

function takingFinding({ name, priority }: ProxyRouter): Finding {
  return {
    topic: `router ${name}`,
    about,
    text: `its router ${shownName(name)} may take the visitors of published hosts: its priority ${priority} is above ${routePriority}`,
  };
}

/** Findings on the gateway's own public address, from the proxy's answer for its `/healthz`. */
export function ownAddressFindings({
  host,
  status,
  problem,
  distrust,
  text,
}: HostAnswer & { text: string }): Finding[] {
  const domain = host.replace(/^gateway\./, '');
  const about = `https://${host}`;
  const finding = (what: string) => [{ topic: about, about, text: `boxes cannot reach it: ${what}` }];
  if (problem !== null) return finding(`the proxy gives no answer: ${problem}`);
  if (status === 404) {
    return finding(
      `the proxy does not have it: copy gateway-api.yml into the routes directory, and start the proxy with GATEWAY_DOMAIN=${domain} in its environment`,
    );
  }
  if (status !== 200 || !text.includes('"ok"')) {
    return finding(`the answer (${status}) is not the gateway's: does it run where gateway-api.yml says?`);
  }
  return distrust === null ? [] : finding(`they do not trust its certificate (${distrust}): see the proxy's log`);
}
