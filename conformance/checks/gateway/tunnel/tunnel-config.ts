import { type Check, check } from '../../../kernel/check.ts';
import { equal, record, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';

type Edit = (config: string) => string;

const withAddress =
  (...lines: string[]): Edit =>
  (config) =>
    config.replace(/^Address.*$/m, lines.map((line) => `Address = ${line}`).join('\n'));
const before =
  (line: string): Edit =>
  (config) =>
    `${line}${config}`;
const inInterface =
  (line: string): Edit =>
  (config) =>
    config.replace('[Interface]\n', `[Interface]\n${line}\n`);
const inPeer =
  (line: string): Edit =>
  (config) =>
    config.replace('[Peer]\n', `[Peer]\n${line}\n`);
const without =
  (key: string): Edit =>
  (config) =>
    config.replace(new RegExp(`^${key}\\b.*\\n?`, 'm'), '');

/** Removes blank lines at the start. */
function fromFirstLine(text: string): string {
  return text.slice(text.lastIndexOf('\n', text.search(/\S/)) + 1);
}

/** Valid configurations and the addresses in them. `null` means the address that the manager assigned. */
const whole: [what: string, edit: Edit, address: string | null][] = [
  ['as it is', (config) => config, null],
  ['blank lines before it', before('\n \t\r\n\r\n\t\n'), null],
  ['lines that end as elsewhere', (config) => config.replaceAll('\n', '\r\n'), null],
  ['blanks before and after each line', (config) => config.replaceAll(/^(.+)$/gm, '\t $1 '), null],
  ['no blanks beside the sign', (config) => config.replaceAll(/^(\w+) = /gm, '$1='), null],
  ['a comment within', inInterface('# a = b'), null],
  ['another public key before the peer', inInterface('PublicKey = x'), null],
  ['another endpoint before the peer', inInterface('Endpoint = x:1'), null],
  ['another private key after it', inPeer('PrivateKey = x'), null],
  ['another address after it', inPeer('Address = 10.99.0.1/32'), null],
  ['key with signs at its end', (config) => config.replace(/^(PublicKey = ).*$/m, '$1abc=='), null],
  ['a key of one character', (config) => config.replace(/^(PrivateKey = ).*$/m, '$1k'), null],
  ['an address without a mask', withAddress('10.8.0.77'), '10.8.0.77'],
  ['an address of a longer mask', withAddress('10.8.1.78/24/x'), '10.8.1.78'],
  ['the other kind of address first', withAddress('fdcc::7/112, 10.8.0.79/24'), '10.8.0.79'],
  ['no blank between addresses', withAddress('fdcc::7/112,10.8.2.80/24'), '10.8.2.80'],
  ['two lines of addresses', withAddress('fdcc::7/112', '10.8.0.81/24'), '10.8.0.81'],
  ['an address that nobody can have first', withAddress('127.0.0.1/8, 10.8.0.82/24'), '10.8.0.82'],
  ['the first of two', withAddress('10.8.0.83/24, 10.8.0.84/24'), '10.8.0.83'],
  ['a low address', withAddress('1.0.0.0/8'), '1.0.0.0'],
  ['a high address', withAddress('223.255.100.255/32'), '223.255.100.255'],
  ['an address beside loopback', withAddress('126.9.10.99/8'), '126.9.10.99'],
  ['an address on its other side', withAddress('128.200.249.250/8'), '128.200.249.250'],
];

const noAddress = ['0.8.0.2', '127.0.0.1', '127.8.0.2', '224.0.0.1', '225.0.0.1', '255.255.255.255'];
const noIpv4 = ['10.8.0', '10.8.0.2.1', '10.8.0.256', '10.8.0.999', '10.8.0.1000', '10.8.0.02', '010.8.0.2'];
const noText = ['10..0.2', '10.8.0.', '.8.0.2', '10.8.0.x', '10.8.0.2x', 'x10.8.0.2', '10.8.-1.2', '1e1.8.0.2'];

/** Invalid configurations, or configurations without a usable address. */
const broken: [what: string, edit: Edit][] = [
  ['nothing but blank lines', () => '\n \n'],
  ['text before it', before('# a peer\n')],
  ['another section before it', before('[Peer]\nPublicKey = x\n')],
  ['a section of another name', (config) => config.replace('[Interface]', '[interface]')],
  ['no section of the peer', (config) => config.replace('[Peer]\n', '')],
  ...['PrivateKey', 'PublicKey', 'Endpoint', 'Address'].map((key): [string, Edit] => [`no ${key}`, without(key)]),
  ...['PrivateKey', 'PublicKey', 'Endpoint'].map((key): [string, Edit] => [
    `an empty ${key}`,
    (config) => config.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = `),
  ]),
  ...['PrivateKey', 'PublicKey', 'Endpoint'].map((key): [string, Edit] => [
    `no sign after ${key}`,
    (config) => config.replace(new RegExp(`^${key} = `, 'm'), `${key} `),
  ]),
  ['two private keys', inInterface('PrivateKey = x')],
  ['two private keys in a line', (config) => config.replace(/^(PrivateKey = .*)$/m, '$1, x')],
  ['two public keys', inPeer('PublicKey = x')],
  ['two endpoints', inPeer('Endpoint = x:1')],
  ['its private key after the peer', (config) => inPeer('PrivateKey = x')(without('PrivateKey')(config))],
  ['the public key before the peer', (config) => inInterface('PublicKey = x')(without('PublicKey')(config))],
  ['the address after the peer', (config) => inPeer('Address = 10.8.0.9/24')(without('Address')(config))],
  ['a key of a longer name', (config) => config.replace(/^PrivateKey/m, 'PrivateKeys')],
  ...[...noAddress, ...noIpv4, ...noText].map((one): [string, Edit] => [
    `the address ${one}`,
    withAddress(`${one}/24`),
  ]),
];

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/tunnel/configurations',
    ['choice/gateway/38', 'choice/gateway/124'],
    'passes on every valid configuration with its address, and answers 502 to an invalid one',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '100';
      const { faults } = await gateway.environment.useManager({ dialect: '14' });
      const script = (edit: Edit) => {
        let sent = '';
        const kept: Edit = (config) => {
          sent = edit(config);
          return sent;
        };
        const fault = faults.script({ kind: 'wrong-shape', on: 'configuration', edit: kept, times: 1000 });
        return { fault, sent: () => sent };
      };
      for (const [what, edit, address] of whole) {
        const { sent } = script(edit);
        const answer = await gateway.register();
        faults.clear();
        equal(`status for ${what}`, answer.status, 201);
        const tunnel = record({ json: record(answer).tunnel });
        equal(`configuration with ${what}`, tunnel.config, fromFirstLine(sent()));
        const own = /^[ \t]*Address ?= ?([\d.]+)/m.exec(sent())?.[1];
        equal(`address with ${what}`, tunnel.address, address ?? own);
        const { box_id: id, box_token: token } = record(answer);
        status(await gateway.deregister({ id: String(id), token: String(token) }), 200);
      }
      for (const [what, edit] of broken) {
        const { fault } = script(edit);
        const answer = await gateway.register();
        faults.clear();
        equal(`status for ${what}`, answer.status, 502);
        refused(answer, 502);
        equal(`it happened: ${what}`, fault.struck() > 0, true);
      }
    },
    { timeoutMs: 60_000 },
  ),
];
