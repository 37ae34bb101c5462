// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
/** Verifies that every parser of untrusted text takes linear time and never overflows the stack. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContainerIds, parseContainers, parseImageIds } from '../box/adapters/docker/docker-output.ts';
import { boxConfig } from '../box/addresses/rules/box-config.ts';
import { tunnelEnds } from '../box/addresses/rules/firewall.ts';
import { gatewayAddress } from '../box/addresses/rules/gateway-address.ts';
import { isCrossSite, isOwnHost } from '../box/api/rules/request-origin.ts';
import { readComposeFiles } from '../box/rules/compose/compose-file.ts';
import { interpolate } from '../box/rules/compose/variables.ts';
import { formatDotenvValue, mergeDotenv, readDotenv } from '../box/rules/dotenv/dotenv.ts';
import { isPlaceholder } from '../box/rules/dotenv/placeholder.ts';
import { coerceSettings } from '../box/rules/dotenv/setting-values.ts';
import { appNameFault, isAppName, nameInPath, projectOfDirectory } from '../box/rules/manifest/app-name.ts';
import { inlineIcon } from '../box/rules/manifest/icon.ts';
import { parseManifest } from '../box/rules/manifest/manifest.ts';
import { maskedTexts, maskSecrets } from '../box/rules/text/mask-secrets.ts';
import { secretTexts } from '../box/rules/text/secret-texts.ts';
import { failureText } from '../box/rules/text/tool-output.ts';
import { isRegisterResult, isRoute, wordsOf } from '../client/answers.ts';
import { parseClients } from '../gateway/adapters/wg-easy/wg-easy-responses.ts';
import { routeFileFault } from '../gateway/rules/invalid-route-file.ts';
import { boxIdOfRouteFile } from '../gateway/rules/route-file.ts';
import { parseTunnelConfig } from '../gateway/rules/tunnel-config.ts';
import { pathOf } from '../http/match.ts';
import { shownName, shownText } from '../lib/shown-text.ts';
import { growth, mostGrowth } from '../lib/testing/growth.ts';
import { makeEntryJudge } from '../self-update/rules/archive-entry.ts';
import { addressFrom, isFeedAddress } from '../self-update/rules/feed-address.ts';
import { parseRelease, presentKey } from '../self-update/rules/release.ts';
import { judgeStatement } from '../self-update/rules/statement.ts';
import { readUpdateState } from '../self-update/rules/update-state.ts';
import { domainName } from './settings/gateway-values.ts';

const kib = 1024;
const secret = new Set(['A', 'PW']);
const env = new Map([['A', 'x'.repeat(1000)]]);
const own = {
  port: 7000,
  tunnelAddresses: ['10.8.0.2'],
  machineName: 'attic',
  allowedHosts: ['box.example.org'],
  addresses: ['192.168.1.2'],
};
const settings = (...types: string[]) => types.map((type, index) => ({ name: `S${index}`, type }));
const manifest = { settings: settings('number', 'text') } as unknown as Parameters<typeof coerceSettings>[1];
const peer = { public: `${'A'.repeat(42)}A=`, endpoint: 'vpn.example.org:51820' };
const tunnel = (line: string) =>
  `[Interface]\nPrivateKey = ${peer.public}\nAddress = ${line}\n[Peer]\nPublicKey = ${peer.public}\nEndpoint = ${peer.endpoint}\n`;
const orUndefined = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const entry = { url: '', sha256: '', signature: '' };
const announcement = {
  release: { version: '2.0.0', archives: {}, keyChanges: [] },
  platform: 'linux-x64',
  entry,
  now: new Date(0),
};

/** Each reader with the length of its largest text. */
const readers: Record<string, [largest: number, read: (text: string) => unknown]> = {
  'a .env': [128 * kib, (text) => readDotenv(text)],
  'a value in a .env': [128 * kib, (text) => readDotenv(`A=${text}`)],
  'a value in quotes in a .env': [128 * kib, (text) => readDotenv(`A="${text}`)],
  'a .env to change': [128 * kib, (text) => mergeDotenv(text, new Map([['A', '1']]))],
  'a value to write': [128 * kib, (text) => mergeDotenv('A=1\n', new Map([['A', text]]))],
  'a value to quote': [128 * kib, (text) => formatDotenvValue(text)],
  'the secrets of a .env': [128 * kib, (text) => secretTexts(text, secret)],
  'a secret to mask': [128 * kib, (text) => maskSecrets('x'.repeat(4 * kib), maskedTexts([text]).own)],
  'a text to mask': [64 * kib, (text) => maskSecrets(text, ['hunter2', '$$$', '   x'])],
  'a text of a Compose file': [128 * kib, (text) => interpolate(text, env)],
  'a Compose file': [128 * kib, (text) => readComposeFiles([text])],
  'a manifest': [64 * kib, (text) => parseManifest(Buffer.from(text), 'notes')],
  'the name of a directory': [
    4 * kib,
    (text) => [isAppName(text), appNameFault(text), nameInPath(text), projectOfDirectory(text)],
  ],
  'an icon': [16 * kib, (text) => inlineIcon(Buffer.from(`${text}<svg${text}`))],
  'a number setting': [128 * kib, (text) => coerceSettings({ S0: text }, manifest)],
  'a text setting': [128 * kib, (text) => coerceSettings({ S1: text, [text]: text }, manifest)],
  'a placeholder': [128 * kib, (text) => [isPlaceholder(text), isPlaceholder(`set${text}`)]],
  'a release feed': [128 * kib, (text) => parseRelease(text)],
  'the address of a feed': [64 * kib, (text) => isFeedAddress(`https://${text}`)],
  'an address in a feed': [64 * kib, (text) => addressFrom('https://x.example/', text)],
  'a statement on a release': [128 * kib, (text) => judgeStatement(text, announcement)],
  'a statement on a key': [128 * kib, (text) => presentKey('', [{ statement: text, signature: '' }], () => true)],
  'the name of an entry of an archive': [
    4 * kib,
    (text) => makeEntryJudge(kib)({ name: `t/${text}`, type: 'file', size: 1 }),
  ],
  'the state of an update': [64 * kib, (text) => readUpdateState(text)],
  'a failure of Compose': [64 * kib, (text) => failureText(text)],
  'ids of containers': [128 * kib, (text) => parseContainerIds(text)],
  'descriptions of containers': [128 * kib, (text) => parseContainers(text)],
  'ids of images': [128 * kib, (text) => parseImageIds(text, ['a', 'b'])],
  'a Host': [16 * kib, (text) => isOwnHost(text, own)],
  'an Origin': [
    16 * kib,
    (text) => isCrossSite({ host: 'attic', origin: `http://${text}`, 'x-forwarded-host': text }, own),
  ],
  'a request target': [16 * kib, (text) => pathOf(`http://${text}`)],
  'a tunnel configuration at the gateway': [128 * kib, (text) => parseTunnelConfig(text)],
  'an Address at the gateway': [128 * kib, (text) => parseTunnelConfig(tunnel(text))],
  'a tunnel configuration at the box': [64 * kib, (text) => boxConfig(text)],
  'an Address at the box': [64 * kib, (text) => boxConfig(tunnel(text))],
  'a line of a configuration at the box': [64 * kib, (text) => boxConfig(tunnel(`10.8.0.2/24\n${text}`))],
  'a route file of somebody else': [128 * kib, (text) => routeFileFault('other.yml', text)],
  'a template of somebody else': [128 * kib, (text) => routeFileFault('other.yml', `{{${text}`)],
  'the name of a route file': [4 * kib, (text) => boxIdOfRouteFile(`boxgate-${text}`)],
  "wg-easy's list of clients": [128 * kib, (text) => parseClients(text)],
  "a gateway's answer": [128 * kib, (text) => isRegisterResult(orUndefined(text)) || isRoute(orUndefined(text))],
  "a gateway's refusal": [128 * kib, (text) => wordsOf({ error: text })],
  'the ends of a tunnel': [64 * kib, (text) => tunnelEnds(tunnel(text))],
  'the network of a tunnel': [64 * kib, (text) => gatewayAddress('10.8.0.2/32', text)],
  'a text to show': [64 * kib, (text) => [shownName(text), shownText(text)]],
  'a domain': [64 * kib, (text) => domainName(text)],
};

const counted = (unit: (index: number) => string) => (size: number) => {
  let text = '';
  for (let index = 0; text.length < size; index += 1) text += unit(index);
  return text;
};
const repeated =
  (unit: string, end = '') =>
  (size: number) =>
    unit.repeat(Math.ceil(size / unit.length)) + end;
const nested = (open: string, close: string) => (size: number) => {
  const depth = Math.ceil(size / (open.length + close.length));
  return open.repeat(depth) + close.repeat(depth);
};

const bombs: Record<string, (size: number) => string> = {
  blanks: repeated(' ', 'x'),
  'blanks in a value': (size) => `A = x${repeated(' ')(size)}x`,
  'line breaks': repeated('\n', 'x'),
  'blank lines': repeated(' \t\r\n', 'x'),
  digits: repeated('1', 'x'),
  letters: repeated('a', '!'),
  slashes: repeated('/', 'x'),
  'slashes before a line separator': repeated('/', '\u2028x'),
  'blanks before a line separator': repeated(' ', '\u2028x'),
  commas: repeated(',', ' x'),
  'dots and dashes': repeated('-1.a', '!'),
  quotes: repeated('"', 'x'),
  'both quotes': repeated(`"'`, 'x'),
  escapes: repeated('\\"', 'x'),
  comments: repeated('# x\n'),
  'signs of comments': repeated('# ', '\n'),
  dollars: repeated('$', 'x'),
  variables: repeated('$A'),
  'variables in braces': repeated('${A}'),
  defaults: repeated('${B:-x}', ' x'),
  'unclosed variables': repeated('${B:-'),
  'unclosed variables before a brace': repeated('${B:-{', '}'),
  'nested variables': nested('${B:-', '}'),
  'one key again and again': repeated('A=1\n'),
  'many keys': counted((index) => `A${index}=1\n`),
  'keys that refer to the one before': counted((index) => `A${index + 1}=$A${index}$A${index}\n`),
  'many lines of a secret': counted((index) => `${index}\n`),
  'unclosed quotes': repeated('A="\nB=\'\n'),
  'words of an order': repeated('a-meit', 'x'),
  'dashes and underscores': repeated('-_', 'x'),
  'equals signs': repeated('a=', 'x'),
  'nested brackets': repeated('['),
  'nested lists': nested('[', ']'),
  'nested objects': nested('{"a":', '}'),
  'many numbers': (size) => `[${repeated('1,')(size)}1]`,
  'many fields': (size) => `{${counted((index) => `"a${index}":1,`)(size)}"a":1}`,
  'many settings': (size) =>
    `{"name":"a","version":"1","settings":[${counted((index) => `{"name":"a${index}"},`)(size)}{"name":"a"}]}`,
  'YAML maps': repeated('- a: {}\n'),
  'YAML keys': counted((index) => `k${index}:\n`),
  'YAML nested in one line': repeated('- '),
  'YAML nested by indentation': (size) => {
    const depth = Math.ceil(Math.sqrt(2 * size));
    return Array.from({ length: depth }, (_, index) => `${' '.repeat(index)}a:\n`).join('');
  },
  'YAML anchors': counted((index) => `- &a${index} x\n`),
  'YAML aliases': (size) => `- &a x\n${repeated('- *a\n')(size)}`,
  'YAML merges': (size) => `x: &a {k: 1}\nb:\n${counted((index) => `  c${index}: {<<: *a}\n`)(size)}`,
  'YAML documents': repeated('---\n'),
  'YAML lines of a text': (size) => `a: b\n${repeated('  b\n')(size)}`,
  'YAML quoted lines': (size) => `a: "b\n${repeated('  b\\\n\n')(size)}"`,
  'YAML block lines': (size) => `a: |\n${repeated('  b\n')(size)}`,
  'YAML tags': repeated('- !x y\n'),
  'YAML errors': repeated('- "a" b\n'),
  'YAML explicit keys': repeated('? a\n'),
  'YAML unclosed flow': repeated('[a, {b: '),
  'YAML services': (size) =>
    `services:\n${counted((index) => `  s${index}: {image: "a$A", env_file: [e${index}]}\n`)(size)}`,
  'escape sequences of a terminal': repeated('\x1b]0;', '\x1b'),
  'percent-encoded': repeated('%C3%A4', '%'),
  'progress lines': repeated(' Container a-b-1  Started\n'),
  headings: repeated('[Interface]\n'),
  templates: repeated('{{ x }}'),
  'unclosed templates': repeated('{{'),
  markup: repeated('<svg ', '>'),
  declarations: repeated('<?xml '),
};

for (const [reader, [largest, read]] of Object.entries(readers)) {
  test(`${reader}: twice the text takes twice the time`, async () => {
    const slow: string[] = [];
    for (const [bomb, inputOf] of Object.entries(bombs)) {
      const found = await growth((text) => attempt(read, text), inputOf, largest);
      if (bomb.includes('nested')) await attempt(read, inputOf(largest));
      if (found > mostGrowth) slow.push(`${bomb}: ${found.toFixed(2)}`);
    }
    assert.deepEqual(slow, []);
  });
}

/** A reader may refuse a text; an overflow of the stack or of a string is no refusal. */
async function attempt(read: (text: string) => unknown, text: string): Promise<void> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
}
