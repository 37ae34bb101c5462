import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as shapes from '../../../../fakes/traefik/file-cases.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { equal } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';

const router = (more: string) => `http:\n  routers:\n    a:\n      rule: Host(\`a\`)\n      service: a\n${more}`;
const server = (line: string) =>
  `http:\n  services:\n    a:\n      loadBalancer:\n        servers:\n          - ${line}\n`;

/** Each of these files stops Traefik from reading the whole directory. */
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
  'BAD-TOO.Toml': 'a = "\u001f"\n',
  'old.toml.yml': 'http: [\n',
  'zz-boxgate-box_1.yml': 'http: [\n',
  'boxgate-box_1.yml.yaml': 'http: [\n',
  'later-template.yml': '# {{ env "A" }} {{ if\n',
  'field-of-tls.yml': router('      tls: {certResolver: a, colour: b}\n'),
  'field-of-balancer.yml': 'http:\n  services:\n    a:\n      loadBalancer: {servers: [{url: a}], colour: b}\n',
  'field-of-service.yml': 'http: {services: {a: {weighted: {}, colour: b}}}\n',
  'second-router.yml': 'http: {routers: {a: {rule: a}, b: {rule: a, colour: b}}}\n',
  'second-server.yml': server('url: a\n          - {url: a, weight: heavy}'),
  'no-servers.yml': 'http: {services: {a: {loadBalancer: {servers: []}}}}\n',
  'no-transports.yml': 'http: {serversTransports: {}}\n',
  'no-models.yml': 'http: {models: {}}\n',
  'no-udp.yml': 'udp: {}\n',
  'after-others.yml': 'other: {}\ntcp: {routers: {a: {}}}\nhttp: {}\n',
  'priority-and-more.yml': router('      priority: 12x\n'),
};

/** Every field of routers, services and servers that Traefik supports. */
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

/** None of these files stops Traefik. */
const harmless: Readonly<Record<string, string>> = {
  'router.yml': router('      priority: 120\n      entryPoints: [web]\n      tls: {}\n'),
  'server.yml': server('url: http://x\n          - {}\n          - {weight: 12, preservePath: true}'),
  'everything.yml': everything,
  'upper.yml': 'HTTP:\n  Routers:\n    a: {}\n  Services:\n    b: {}\n',
  'resolver.yml': router('      tls:\n        certResolver: a\n        options: b\n        domains: []\n'),
  'empty.yml': '',
  'word.yml': 'other: 1\n',
  'date-elsewhere.yml': 'other: {a: 2001-01-01}\nhttp: {routers: {a: {rule: a}}}\n',
  'signs.yml': 'http: {routers: {a: {priority: -5}, b: {priority: "+12"}}}\n',
  'white.yml': '# \t\r\nhttp: {routers: {a: {rule: a}}}\r\n',
  'closed.yml': '# {{ env "A" }} {{ env\n "B" }}\n',
  'merged.yml': 'x: &x {rule: a}\nhttp: {routers: {a: {<<: *x, service: a}}}\n',
  'loop.yml': 'http: {{ if true }}{{ end }}\n',
  'fine.toml': '[http]\n',
  'notes.txt': 'http: [what\n',
  'notes.yml.old': 'http: [what\n',
  'notes-yml': 'http: [what\n',
};

/** Maps file names to contents. The name contains the description of the case. */
function named(texts: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  const named = Object.entries(texts).map(([what, text]) => [`${prefix}${what.replaceAll(' ', '-')}.yml`, text]);
  return Object.fromEntries(named);
}

/**
 * Makes a folder with invalid and valid files at several depths. Names of the gateway's own files have no meaning
 * there.
 */
function makeFolder(routesDir: string): { told: string[]; untold: string[] } {
  mkdirSync(join(routesDir, 'folder', 'deeper'), { recursive: true });
  mkdirSync(join(routesDir, 'folder.yml'));
  mkdirSync(join(routesDir, '.boxgate')); // Managed by the gateway, so never reported.
  const told = ['folder/broken-within.yml', 'folder/deeper/boxgate-box_1.yml', 'folder.yml/list.yaml'];
  told.push('.boxgate/mine.yml');
  for (const name of told) writeFileSync(join(routesDir, name), '- a\n');
  const untold = ['folder/right.yml', 'folder/deeper/notes.txt'];
  for (const name of untold) writeFileSync(join(routesDir, name), router(''));
  symlinkSync('nowhere', join(routesDir, 'to-nowhere.yml'));
  return { told: [...told, 'to-nowhere.yml'], untold };
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/harmful-files',
    ['choice/gateway/568'],
    'reports on standard error each unmanaged file that stops the proxy, once, and no others',
    async (gateway) => {
      const { routesDir } = gateway.environment;
      const stopping = { ...harmful, ...named(shapes.stopping, 'stops-') };
      const files = { ...stopping, ...harmless, ...named(shapes.harmless, 'fine-') };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(routesDir, name), text);
      const folder = makeFolder(routesDir);
      const subject = await gateway.start();
      const names = [...Object.keys(files), ...folder.told, ...folder.untold];
      const lines = () => subject.stderr().split('\n');
      const told = () => names.filter((name) => lines().some((line) => line.includes(`"${name}"`)));
      const expected = [...Object.keys(stopping), ...folder.told];
      await until('it tells of them', () => told().length >= expected.length);
      equal('the files that it tells of', told(), expected);
      const often = expected.filter((name) => lines().filter((line) => line.includes(`"${name}"`)).length > 1);
      equal('files that it tells of more than once', often, []);
    },
  ),
  check(
    'gateway/route-files/harmful-files-later',
    ['choice/gateway/568'],
    'reports on standard error, after each change of a route file, later files that stop the proxy',
    async (gateway) => {
      const subject = await gateway.start();
      const box = await gateway.box();
      const told = async (name: string, change: () => Promise<unknown>) => {
        writeFileSync(join(gateway.environment.routesDir, name), 'http: {{ nonsense }}\n');
        await change();
        await until(`it tells of ${name}`, () => subject.stderr().includes(`"${name}"`));
      };
      const { id } = await gateway.route(box);
      await told('published.yml', () => gateway.route(box));
      await told('unpublished.yml', () => gateway.unpublish(box, id));
      await told('deregistered.yml', () => gateway.deregister(box));
    },
  ),
];
