import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../check.ts';
import { equal } from '../expect.ts';
import { until } from '../observe.ts';
import type { Gateway } from './gateway.ts';

const router = (more: string) =>
  `http:\n  routers:\n    a:\n      rule: Host(\`a\`)\n      service: a\n${more}`;
const server = (line: string) =>
  `http:\n  services:\n    a:\n      loadBalancer:\n        servers:\n          - ${line}\n`;

/** Each keeps Traefik from reading anything of its directory. */
const harmful: Readonly<Record<string, string>> = {
  'broken.yml': 'http: [what\n',
  'control.yaml': 'http: \u0001\n',
  'list.yml': '- http\n',
  'template.YML': 'http: {{ if\n',
  'unknown.yml': router('      hosts: [a]\n'),
  'unknown-server.yml': server('address: x'),
  'priority.yml': router('      priority: high\n'),
  'no-router.yml': 'http:\n  routers: {}\n',
  'no-middleware.yml': 'http:\n  middlewares: {}\n',
  'nothing.yml': 'http: {}\n',
  'no-port.yml': 'tcp:\n  routers:\n',
  'null.yml': 'http:\n  services: ~\n',
  'no-balancer.yml': 'http:\n  services:\n    a:\n      loadBalancer: {}\n',
  'date.yml': router('      middlewares: 2001-01-01\n'),
  'bad.toml': 'a = "\u0002"\n',
};

/** Every field that Traefik knows of routers, services and servers. */
const everything = `http:
  routers:
    a: {entryPoints: [a], middlewares: [a], service: a, rule: a, parentRefs: [a], ruleSyntax: v3, observability: {}}
  services:
    a: {weighted: {}, mirroring: {}, failover: {}, highestRandomWeight: {}}
    b:
      loadBalancer:
        sticky: {}
        strategy: wrr
        healthCheck: {}
        passiveHealthCheck: {}
        passHostHeader: true
        responseForwarding: {}
        serversTransport: a
        servers: [{url: a, weight: 1, preservePath: true}]
  middlewares: {a: {}}
  serversTransports: {a: {}}
  models: {a: {}}
tcp: {routers: {a: {}}}
udp: {routers: {a: {}}}
tls: {stores: {a: {}}}
`;

/** None of these does. */
const harmless: Readonly<Record<string, string>> = {
  'router.yml': router('      priority: 120\n      entryPoints: [web]\n      tls: {}\n'),
  'server.yml': server('url: http://x\n          - {}\n          - {weight: 12, preservePath: true}'),
  'everything.yml': everything,
  'upper.yml': 'HTTP:\n  Routers:\n    a: {}\n  Services:\n    b: {}\n',
  'resolver.yml': router('      tls:\n        certResolver: a\n        options: b\n        domains: []\n'),
  'empty.yml': '',
  'word.yml': 'other: 1\n',
  'loop.yml': 'http: {{ if true }}{{ end }}\n',
  'fine.toml': '[http]\n',
  'notes.txt': 'http: [what\n',
};

/** What an operator hears of files that are not the gateway's. */
export const checks: Check<Gateway>[] = [
  check(
    'gateway/route-files/harmful-files',
    ['choice/gateway/97'],
    'tells on standard error which files of others keep the proxy from reading any route, each once, and no others',
    async (gateway) => {
      const { routesDir } = gateway.world;
      const files = { ...harmful, ...harmless };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(routesDir, name), text);
      const subject = await gateway.start();
      const told = () => Object.keys(files).filter((name) => subject.stderr().includes(`"${name}"`));
      await until('it tells of them', () => told().length >= Object.keys(harmful).length);
      equal('the files that it tells of', told(), Object.keys(harmful));
    },
  ),
];
