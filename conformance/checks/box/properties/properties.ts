import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, record, refused, status } from '../../../kernel/expect.ts';
import { holdsForAll } from '../../../kernel/property.ts';
import { equalIcon } from '../apps/icon.ts';
import { declared, library, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, runningContainer } from '../disk.ts';

/** Event attributes, such as `onload`, and similar names. */
const almostEvent = fc
  .tuple(
    fc.constantFrom(' ', '"', '/', '\n', '-', '_', '1', 'x', ''),
    fc.constantFrom('on', 'ON', 'oN'),
    fc.constantFrom('load', 'X', '', '1', '-x', '_x'),
    fc.constantFrom('', ' ', '\n\t', '\r\n'),
    fc.constantFrom('=', ':', ''),
  )
  .map((parts) => parts.join(''));

/** Texts that break an icon rule or almost do. */
const iconSign = fc.constantFrom(
  '<svg', '>', '</svg>', '<script', '<SCRIPT>', 'javascript:', 'JavaScript :', 'on', 'onload', 'ON', '=', ' =', ' ', '\n',
  '\t', '<?xml', '?>', '<!--', '"', '/', 'x', 'é', '1', '_', '<path d="M0 0"/>', 'button="1"',
); // biome-ignore format: a table

const iconPiece = fc.oneof({ weight: 4, arbitrary: iconSign }, { weight: 1, arbitrary: almostEvent });
const iconText = fc.array(iconPiece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const iconHead = fc.constantFrom('', '<svg ', ' \n<svg>', '<?xml v?><svg ', '<?xml v?>\n ', '<?xml <svg ', '<SVG ');

/** Icons whose size is near the limit, with characters of one and two bytes. */
const iconOfSize = fc.tuple(fc.integer({ min: -2, max: 2 }), fc.constantFrom('x', 'é')).map(([beside, letter]) => {
  const room = 16_384 + beside - '<svg>'.length;
  return Buffer.from(`<svg>${'x'.repeat(room % 2)}${letter.repeat((room - (room % 2)) / Buffer.byteLength(letter))}`);
});

/** Icons with invalid UTF-8. */
const iconOfBytes = fc
  .tuple(iconText, fc.uint8Array({ min: 0x80, minLength: 1, maxLength: 3 }))
  .map(([text, bytes]) => Buffer.concat([Buffer.from(`<svg>${text}`), bytes, Buffer.from('x')]));

const icon = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.tuple(iconHead, iconText).map(([head, text]) => Buffer.from(head + text)),
  },
  { weight: 1, arbitrary: iconOfSize },
  { weight: 1, arbitrary: iconOfBytes },
);

/** A second, minimal implementation of the four icon rules. */
function expectedIcon(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  if (bytes.length > 16_384 || !Buffer.from(text).equals(bytes)) return null;
  let rest = text.trim();
  if (rest.startsWith('<?xml')) {
    const end = rest.indexOf('?>');
    if (end < 0) return null;
    rest = rest.slice(end + 2).trim();
  }
  if (!rest.startsWith('<svg')) return null;
  return /<script|javascript:|\bon[a-z]+\s*=/i.test(rest) ? null : rest;
}

/**
 * The rules do not define non-ASCII letters, instructions whose name begins with `xml`, and delimiters inside a
 * declaration. Icons whose result depends on these may have any result.
 */
function isLeftOpen(text: string): boolean {
  const [declaration = ''] = /^\s*<\?xml.*?\?>/s.exec(text) ?? [];
  if (/^\s*<\?xml(?!\s|\?>)/.test(text)) return true;
  if (/<script|javascript:|on/i.test(declaration) || /[<>]/.test(declaration.slice(declaration.indexOf('<') + 1, -1)))
    return true;
  return /\bon[a-z]+\s*=/i.test(text) !== /(?<![\p{L}\p{N}_])on\p{L}+\s*=/iu.test(text);
}

/** Texts that some JSON parsers accept or read differently. */
const almostJson = fc
  .constantFrom(
    "{'name':'x'}", '{name:"x"}', '{"name":"x",}', '{"name":"x"}{', '{"name":"x"} x', '// x\n{}', '{"name":01}', '{"name":+1}',
    '{"name":.5}', '{"name":"a\nb"}', '{"name":"\\x41"}', '{"name":"\\u00g0"}', '{"name":"\\ud800"}', '{"__proto__":{"name":"x"}}',
    '{"constructor":1}', '[{"name":"x"}]', '"{}"', 'true', '0', '-0', '1e999', ' {"name":"x"} ', '{"name":"\\u0000"}', '{"name":" "}',
  ) // biome-ignore format: a table
  .map((text) => Buffer.from(text));

const line = (unit: fc.Arbitrary<string>, maxLength: number) => fc.string({ unit, maxLength });
const awkward = fc.constantFrom(
  ' ', '"', "'", '#', ' #', '$', '$A', '\r', '\u00a0', '\ufeff', '\u2028', 'export ', '$$', '${', '}', '\\', '\\n', '\\\\', '=', '\n', '\r\n', '\t', '`', '!', '%', '{{', 'é', '🗻', 'a', '0',
); // biome-ignore format: a table
const anyValue = fc.oneof(line(awkward, 12), line(fc.constantFrom('a', ' ', '#', '$'), 6));
/**
 * Values that need no quotes in `.env`. An installer may refuse to quote, and may refuse invisible characters.
 */
const plain = anyValue.map((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}\u00a0"'`\\$#{}]/gu, '').trim());
const key = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/).filter((name) => !name.startsWith('COMPOSE') && name !== 'PATH');
const isHolder = (text: string) => /(change|replace)[-_ ]?(me|this|it)|^\s*<.*>\s*$|^\s*\{\{/is.test(text);

const compose = 'services:\n  web:\n    image: registry.example/pearl:1\n    env_file: .env\n';

async function valuesArrive(box: BoxContext): Promise<void> {
  const keys = [...new Set(fc.sample(key, { seed: box.seed, numRuns: 24 }))];
  box.environment.placeInstalled({
    name: 'pearl',
    manifest: manifest('pearl', { settings: declared(...keys) }),
    compose,
    env: 'FIRST="k e p t"\n',
  });
  const kept: Record<string, string> = { FIRST: 'k e p t' };
  const one = fc.constantFrom(...keys);
  const settings = fc.dictionary(one, plain, { minKeys: 1, maxKeys: 6, noNullPrototype: true });
  await holdsForAll(box, 'values arrive', settings, 12, async (submitted) => {
    if (Object.values(submitted).some(isHolder)) return;
    status(await box.changeSettings('pearl', submitted), 200);
    Object.assign(kept, submitted);
    const container = await runningContainer(box, 'pearl');
    for (const [name, text] of Object.entries(kept)) equal(`${name} in the container`, container.env[name], text);
  });
}

async function valuesInOneGo(box: BoxContext): Promise<void> {
  const values = fc.sample(plain, { seed: box.seed, numRuns: 120 }).filter((text) => !isHolder(text));
  const texts = Object.fromEntries(values.map((text, index) => [`V${index}`, text]));
  const whole = fc.sample(fc.integer(), { seed: box.seed, numRuns: 12 });
  const numbers = Object.fromEntries(whole.map((number, index) => [`N${index}`, number]));
  const long = { LONG: 'x y-'.repeat(800), EMPTY: '' };
  const submitted = { ...texts, ...numbers, ...long };
  box.environment.bundle({
    name: 'pearl',
    manifest: manifest('pearl', { settings: declared(...Object.keys(submitted)) }),
    compose,
    envExample: '# head\nFIRST=1\n',
  });
  status(await box.install('pearl', submitted), 200);
  const written = env(box, 'pearl');
  const container = await runningContainer(box, 'pearl');
  for (const [name, given] of Object.entries({ ...submitted, FIRST: '1' })) {
    const text = String(given);
    equal(`${name} in .env as Compose reads it`, written[name], text);
    equal(`${name} in the container`, container.env[name], text);
  }
}

async function valuesShown(box: BoxContext): Promise<void> {
  const setting = {
    name: 'TEXT',
    label: 'Text',
    description: '',
    type: 'string',
    required: false,
    default: 'other',
  };
  box.environment.placeInstalled({
    name: 'pearl',
    manifest: manifest('pearl', { settings: [setting] }),
    env: 'A=1\n',
  });
  await holdsForAll(box, 'values are shown', plain, 15, async (text) => {
    // The requirements do not say whether an empty value counts.
    if (isHolder(text) || text === '') return;
    ensure('accepted', [200, 207].includes((await box.changeSettings('pearl', { TEXT: text })).status));
    const view = record(await box.get('/api/apps/pearl/settings'));
    equal('value', (view.settings as { value: string }[])[0]?.value, text);
  });
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/properties/icons',
    ['box/icon/1', 'box/icon/2', 'box/icon/3', 'box/icon/4', 'box/icon/5'],
    'shows an icon exactly if it meets the four rules',
    async (box) => {
      // One response with many icons is faster than many responses.
      const names = Array.from({ length: 10 }, (_, index) => `pearl${index}`);
      const folders = names.map((name) =>
        box.environment.bundle({ name, manifest: manifest(name, { icon: 'i.svg' }) }),
      );
      const icons = fc.array(icon, { minLength: 1, maxLength: names.length, size: 'max' });
      await holdsForAll(box, 'icon_svg follows the rules', icons, 40, async (contents) => {
        for (const [index, content] of contents.entries()) {
          writeFileSync(join(folders[index] ?? '', 'i.svg'), content);
          const files = { [`$BUNDLED_APPS/${names[index]}/i.svg`]: content };
          box.journal.push({ by: 'hand', description: `the icon of ${names[index]}`, files });
        }
        const shown = list(await box.get('/api/bundled'));
        for (const [index, content] of contents.entries()) {
          const { icon_svg } = shown.find(({ name }) => name === names[index]) ?? {};
          if (!isLeftOpen(content.toString('utf8'))) equalIcon('icon_svg', icon_svg, expectedIcon(content));
        }
      });
    },
  ),
  check(
    'box/properties/bodies',
    ['box/body/2', 'box/body/3', 'box/body/4', 'box/endpoints/9', 'box/endpoints/10'],
    'refuses every body for the first rule that it breaks',
    async (box) => {
      const json = fc.json().map((text) => Buffer.from(text));
      const bytes = fc.uint8Array({ minLength: 1, maxLength: 24 }).map((array) => Buffer.from(array));
      const torn = json.chain((whole) => fc.nat(whole.length).map((at) => whole.subarray(0, at)));
      const named = fc
        .record({ name: fc.oneof(fc.string(), fc.jsonValue()) })
        .map((body) => Buffer.from(JSON.stringify(body)));
      const spliced = fc.tuple(json, fc.nat(), fc.integer({ min: 0, max: 0xff })).map(([whole, at, byte]) => {
        const place = at % (whole.length + 1);
        return Buffer.concat([whole.subarray(0, place), Buffer.from([byte]), whole.subarray(place)]);
      });
      const body = fc.oneof(json, bytes, torn, spliced, named, almostJson);
      await holdsForAll(box, 'the right refusal', body, 200, async (body) => {
        if (/^[\ufeff\s]/.test(body.toString('utf8')) || (body.length > 0 && body.toString('utf8').trim() === ''))
          return;
        // The requirements do not say whether a blank name is a name.
        if (/"name"\s*:\s*"(\s|\\[nrtu])+/.test(body.toString('utf8'))) return;
        const [code, text] = expectedRefusal(body);
        refused(await box.post('/api/nowhere', body), code, text);
      });
    },
    { shared: library },
  ),
  check(
    'box/properties/values-arrive',
    ['box/post-rules/1', 'box/post-rules/3', 'box/service/15'],
    'passes every value unchanged to the container, and keeps every other key',
    valuesArrive,
    { timeoutMs: 60_000 },
  ),
  check(
    'box/properties/values-in-one-go',
    ['box/post-rules/1', 'box/service/15'],
    'writes many awkward values so that Compose reads each back exactly',
    valuesInOneGo,
  ),
  check(
    'box/properties/values-shown',
    ['box/value/2', 'box/post-rules/1'],
    'shows every value as it was set',
    valuesShown,
    { timeoutMs: 60_000 },
  ),
];

function expectedRefusal(body: Buffer): [number, string] {
  let parsed: unknown = {};
  try {
    if (body.length > 0) parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    // Not UTF-8 or not JSON.
    return [400, 'invalid JSON body'];
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return [400, 'body must be a JSON object'];
  const { name } = parsed as { name?: unknown };
  if (typeof name !== 'string' || name === '') return [400, "missing or empty 'name' field"];
  return [404, 'not found'];
}
