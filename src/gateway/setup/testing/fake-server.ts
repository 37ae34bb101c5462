import type { Part } from '../rules/listeners.ts';
import type { MachineFacts } from '../rules/machine.ts';
import { places } from '../setup.ts';
import { SetupFailed, type SetupPorts, type SetupRequest } from '../setup-ports.ts';

/** Thrown in place of a change: nothing after it happens. */
export class PowerCut extends Error {}

export const request: SetupRequest = {
  domain: 'my.org',
  email: 'ada@my.org',
  publicHost: 'gateway.my.org',
  tunnelNetwork: '10.8.0.0/24',
  beginsAnew: false,
  authority: { real: 'https://acme.test/dir', trial: 'https://trial.test/dir' },
  dnsProvider: null,
  checkOnly: false,
  dnsWaitMs: 60_000,
};

/** `authority` limits the failure of certificates to one authority. */
type Failures = { pull?: string; install?: string; certificate?: string; authority?: string };

/** A server in memory: files, a service, two containers, and a certificate authority that answers at once. */
export class FakeServer {
  facts: MachineFacts = {
    hasSystemd: true,
    missingPrograms: [],
    engine: '26.1.5',
    dataFolder: '/var/lib/docker',
    compose: '2.26.1',
    hasWireguard: true,
    listeners: [],
    running: new Set(),
    ufw: '',
    packetFilter: '',
    addresses: [],
    hasForeignWg0: false,
    freeBytes: 2 ** 33,
    memoryBytes: 2 ** 31,
    authority: { aheadMs: 0 },
  };
  /** The addresses of all names at each look; the last one stays. */
  addresses: (readonly string[])[] = [['203.0.113.5']];
  proven: string[] | null = [];
  readonly files = new Map<string, string>();
  readonly modes = new Map<string, number>();
  readonly running = new Set<Part>();
  readonly said: string[] = [];
  failures: Failures = {};
  /** The password that wg-easy keeps since its first start. */
  managerPassword: string | null = null;
  /** The directory of the authority whose certificate Traefik shows. */
  certificateOf: string | null = null;
  certificatesMade: string[] = [];
  /** Where Traefik kept its certificates, start by start. */
  readonly storages: string[] = [];
  changes = 0;
  cutAt = 0;
  private clock = 0;

  private change(): void {
    this.changes += 1;
    if (this.changes === this.cutAt) throw new PowerCut();
  }

  /** A variable of the Compose project. */
  variable(name: string): string | undefined {
    return new RegExp(`^${name}=(.*)$`, 'm').exec(this.files.get(places.variables) ?? '')?.[1];
  }

  readonly ports: SetupPorts = {
    observe: async () => ({ ...this.facts, running: new Set(this.running) }),
    lookUp: async (names) => {
      const addresses = this.addresses[0] ?? [];
      if (this.addresses.length > 1) this.addresses.shift();
      return names.map((name) => ({ name, addresses, problem: null }));
    },
    ownAddresses: () => ['203.0.113.5', '10.0.0.2'],
    prove: async () => this.proven && { proven: this.proven, proxied: [] },
    files: {
      read: (path) => this.files.get(path) ?? null,
      write: async (path, text, mode) => {
        this.change();
        if (path === places.route && !this.running.has('gateway')) throw new Error('there is no folder of routes');
        this.files.set(path, text);
        this.modes.set(path, mode);
      },
      remove: async (path) => {
        this.change();
        this.files.delete(path);
      },
      newSecret: () => 'generated-secret',
      shipped: (name) =>
        name.endsWith('.example') ? 'GATEWAY_DOMAIN=example.org\n#GATEWAY_BOX_LIMIT=10\n' : `of ${name}\n`,
    },
    installSoftware: async () => {
      this.change();
      if (this.failures.install !== undefined) throw new SetupFailed(this.failures.install);
      if (this.files.get(places.password) === undefined) throw new Error('the password is written first');
      this.running.add('gateway');
    },
    removeSoftware: async () => {
      this.change();
      if (this.running.has('wg-easy')) throw new Error('wg-easy runs without the packet filter');
      this.running.delete('gateway');
      return 'the gateway is removed\nwg-easy and Traefik go on running\n';
    },
    compose: async (verb = '', ...argv) => this.compose(verb, argv),
    managerAnswers: async () => this.running.has('wg-easy'),
    certificate: async (host) => {
      if (!this.running.has('traefik')) return null;
      const isReal = this.certificateOf === request.authority.real;
      return {
        isForName: this.certificateOf !== null && host === 'gateway.my.org',
        distrust: isReal ? null : 'unknown',
      };
    },
    doctor: async () => {
      const isWell =
        this.running.size === 3 &&
        this.files.has(places.route) &&
        this.managerPassword === this.files.get(places.password)?.trim();
      return isWell
        ? { status: 0, text: 'everything matches' }
        : { status: 1, text: 'the tunnel manager: wrong password' };
    },
    pause: async (ms) => {
      this.clock += ms;
    },
    now: () => this.clock,
    say: (line) => {
      this.said.push(line);
    },
  };

  private compose(verb: string, argv: readonly string[]): string {
    const lacking = [places.project, places.variables, places.dns].find((path) => !this.files.has(path));
    if (lacking !== undefined) throw new Error(`Compose needs ${lacking}`);
    if (verb === 'ps') return [...this.running].join('\n');
    if (verb === 'logs') return this.certificateFails() ? (this.failures.certificate ?? '') : '';
    this.change();
    if (verb === 'pull' && this.failures.pull !== undefined) throw new SetupFailed(this.failures.pull);
    if (verb === 'down') for (const part of ['traefik', 'wg-easy'] as const) this.running.delete(part);
    if (argv.includes('--volumes')) this.managerPassword = this.certificateOf = null;
    if (verb === 'stop') this.running.delete(argv[0] as Part);
    if (verb === 'up') this.start(argv.at(-1) as Part);
    return '';
  }

  private certificateFails(): boolean {
    const { certificate, authority } = this.failures;
    return certificate !== undefined && (authority ?? this.variable('ACME_SERVER')) === this.variable('ACME_SERVER');
  }

  private start(part: Part): void {
    if (!this.running.has('gateway')) throw new Error('the packet filter and the folder of routes come first');
    this.running.add(part);
    if (part === 'wg-easy')
      this.managerPassword ??= this.variable('GATEWAY_TUNNEL_PASSWORD')?.replaceAll("'", '') ?? null;
    if (part !== 'traefik') return;
    const authority = this.variable('ACME_SERVER') ?? '';
    this.storages.push(this.variable('ACME_STORAGE') ?? '');
    if (this.certificateFails()) return;
    if (this.certificateOf !== authority) this.certificatesMade.push(authority);
    this.certificateOf = authority;
  }
}
