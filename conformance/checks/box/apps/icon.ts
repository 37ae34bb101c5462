import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxEnvironment } from '../../../../fakes/box-environment.ts';
import type { Fixture } from '../../../kernel/check.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, list } from '../../../kernel/expect.ts';

import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { makePipe, makeSocket } from '../odd-files.ts';

/** An icon file of an app, and the `icon_svg` that the rules require for it. */
type Row = { rule: string; what: string; icon: string | Buffer | null; svg: string | null; name?: string };

const circle = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';
const sized = (bytes: number) => `<svg>${'x'.repeat(bytes - 11)}</svg>`;

const rows: Row[] = [
  { rule: 'present', what: 'a plain icon', icon: circle, svg: circle },
  { rule: 'present', what: 'no such file', icon: null, svg: null },
  { rule: 'present', what: 'no icon name', icon: circle, svg: null, name: '' },
  { rule: 'size', what: '16384 bytes', icon: sized(16384), svg: sized(16384) },
  { rule: 'size', what: '16385 bytes', icon: sized(16385), svg: null },
  {
    rule: 'size',
    what: '16384 bytes in fewer characters',
    icon: `<svg>${'é'.repeat(8186)}x</svg>`,
    svg: `<svg>${'é'.repeat(8186)}x</svg>`,
  },
  {
    rule: 'size',
    what: '16385 bytes in fewer characters',
    icon: `<svg>${'é'.repeat(8187)}</svg>`,
    svg: null,
  },
  {
    rule: 'size',
    what: '16385 bytes, of which one is white space at the end',
    icon: `${sized(16384)}\n`,
    svg: null,
  },
  { rule: 'utf-8', what: 'a lone continuation byte', icon: Buffer.from('<svg>\x80</svg>', 'latin1'), svg: null },
  {
    rule: 'utf-8',
    what: 'a surrogate in three bytes',
    icon: Buffer.concat([Buffer.from('<svg>'), Buffer.from([0xed, 0xa0, 0x80])]),
    svg: null,
  },
  { rule: 'start', what: 'white space around', icon: ` \t\r\n${circle}\n \n`, svg: circle },
  {
    rule: 'start',
    what: 'an XML declaration',
    icon: `<?xml version="1.0" encoding="UTF-8"?>${circle}`,
    svg: circle,
  },
  {
    rule: 'start',
    what: 'white space, then a declaration',
    icon: `\n <?xml version="1.0"?>${circle}`,
    svg: circle,
  },
  {
    // No sentence says whether the text is trimmed again after the declaration.
    rule: 'choice',
    what: 'white space after a declaration',
    icon: `<?xml version="1.0"?>\n\n${circle}`,
    svg: circle,
  },
  {
    rule: 'start',
    what: 'a declaration that is not closed',
    icon: `<?xml version="1.0" ${circle}`,
    svg: null,
  },
  {
    rule: 'start',
    what: 'a declaration, then no svg',
    icon: `<?xml version="1.0"?>\n<html>${circle}</html>`,
    svg: null,
  },
  { rule: 'start', what: 'an instruction that is no declaration', icon: `<?php echo 1 ?>${circle}`, svg: null },
  { rule: 'start', what: 'a declaration alone', icon: '<?xml version="1.0"?>', svg: null },
  { rule: 'start', what: 'a comment first', icon: `<!-- x -->${circle}`, svg: null },
  { rule: 'start', what: 'a doctype first', icon: `<!DOCTYPE svg>${circle}`, svg: null },
  { rule: 'start', what: 'an HTML page', icon: '<html><svg></svg></html>', svg: null },
  { rule: 'start', what: 'svg in upper case', icon: '<SVG></SVG>', svg: null },
  { rule: 'start', what: 'an empty file', icon: '', svg: null },
  { rule: 'start', what: 'text', icon: 'icon', svg: null },
  { rule: 'pattern', what: 'a script', icon: '<svg><script>1</script></svg>', svg: null },
  { rule: 'pattern', what: 'a script in upper case', icon: '<svg><SCRIPT/></svg>', svg: null },
  { rule: 'pattern', what: 'a longer element name', icon: '<svg><scripted/></svg>', svg: null },
  {
    rule: 'pattern',
    what: 'a script below a declaration',
    icon: '<?xml version="1.0"?>\n<svg><script/></svg>',
    svg: null,
  },
  { rule: 'pattern', what: 'javascript:', icon: '<svg><a href="javascript:1"/></svg>', svg: null },
  { rule: 'pattern', what: 'JavaScript: in the text', icon: '<svg><desc>JavaScript:</desc></svg>', svg: null },
  { rule: 'pattern', what: 'onload=', icon: '<svg onload="x"></svg>', svg: null },
  { rule: 'pattern', what: 'ONLOAD =', icon: '<svg ONLOAD \n\t= "x"></svg>', svg: null },
  { rule: 'pattern', what: 'an event after a quote', icon: '<svg id="a"onclick=x></svg>', svg: null },
  { rule: 'pattern', what: 'an event after a slash', icon: '<svg/onclick=x>', svg: null },
  { rule: 'pattern', what: 'on in the text, with =', icon: '<svg><desc>turn only = 1</desc></svg>', svg: null },
  { rule: 'allowed', what: 'an empty element', icon: '<svg/>', svg: '<svg/>' },
  { rule: 'allowed', what: 'a new line after svg', icon: '<svg\n></svg>', svg: '<svg\n></svg>' },
  {
    rule: 'allowed',
    what: 'words that contain on',
    icon: '<svg button="1" icon="2" person="3"/>',
    svg: '<svg button="1" icon="2" person="3"/>',
  },
  {
    rule: 'allowed',
    what: 'on inside of words, letters after it',
    icon: '<svg stone="1" _only="2" xonload="3"/>',
    svg: '<svg stone="1" _only="2" xonload="3"/>',
  },
  {
    rule: 'allowed',
    what: 'on alone',
    icon: '<svg><desc>on = off</desc></svg>',
    svg: '<svg><desc>on = off</desc></svg>',
  },
  { rule: 'allowed', what: 'a digit in the name', icon: '<svg on2x="1"/>', svg: '<svg on2x="1"/>' },
  {
    rule: 'allowed',
    what: 'script without <',
    icon: '<svg><desc>script javascript</desc></svg>',
    svg: '<svg><desc>script javascript</desc></svg>',
  },
  {
    rule: 'allowed',
    what: 'foreignObject and style',
    icon: '<svg><style>a{}</style><foreignObject/></svg>',
    svg: '<svg><style>a{}</style><foreignObject/></svg>',
  },
];

const appName = (index: number) => `icon${index}`;

const icons: Fixture<BoxEnvironment> = {
  name: 'icons',
  prepare: (environment) => {
    for (const [index, row] of rows.entries()) {
      const name = appName(index);
      const fields = { icon: row.name ?? 'icon.svg' };
      environment.bundle({ name, manifest: manifest(name, fields), ...(row.icon === null ? {} : { icon: row.icon }) });
    }
    const folder = environment.bundle({ name: 'folder', manifest: manifest('folder', { icon: 'icon.svg' }) });
    mkdirSync(join(folder, 'icon.svg'));
  },
};

async function bundledIcons(box: BoxContext): Promise<Map<unknown, unknown>> {
  return new Map(list(await box.get('/api/bundled')).map((app) => [app.name, app.icon_svg]));
}

/** Verifies an icon. The requirements do not say whether text around the markup is kept. */
export function equalIcon(what: string, actual: unknown, expected: string | null): void {
  const bare = typeof actual === 'string' ? actual.trim().replace(/^<\?xml.*?\?>/s, '') : actual;
  equal(what, typeof bare === 'string' ? bare.trim() : bare, expected);
}

function rowCheck(slug: string, rules: string[], title: string, kinds: string[]): Check<BoxContext> {
  const run = async (box: BoxContext) => {
    const shown = await bundledIcons(box);
    for (const [index, row] of rows.entries()) {
      if (kinds.includes(row.rule)) equalIcon(`icon_svg of ${row.what}`, shown.get(appName(index)), row.svg);
    }
  };
  return check(`box/icon/${slug}`, rules, title, run, { shared: icons });
}

export const checks: Check<BoxContext>[] = [
  rowCheck('present', ['box/icon/1', 'box/icon/5', 'box/summary/9'], 'shows an icon that is there, null otherwise', [
    'present',
  ]),
  rowCheck('size', ['box/icon/2', 'box/limits/1'], 'shows 16384 bytes and not one more, counting bytes', ['size']),
  rowCheck('utf-8', ['box/icon/2'], 'shows nothing that is no UTF-8', ['utf-8']),
  rowCheck('start', ['box/icon/3', 'box/icon/5'], 'shows what starts with <svg once trimmed and undeclared', ['start']),
  rowCheck('pattern', ['box/icon/4'], 'shows nothing that holds a script, a script address or an event', ['pattern']),
  rowCheck('allowed', ['box/icon/4', 'box/icon/5'], 'shows what only looks like one of the patterns', ['allowed']),
  check(
    'box/icon/regular-file',
    ['box/icon/1'],
    'shows no icon that is a directory',
    async (box) => equal('icon_svg', (await bundledIcons(box)).get('folder'), null),
    { shared: icons },
  ),
  check(
    'box/icon/pipe-or-socket',
    ['box/icon/1'],
    'shows no icon that is a named pipe or a socket, and does not block on it',
    async (box) => {
      const named = (name: string) => ({ name, manifest: manifest(name, { icon: 'icon.svg' }) });
      box.environment.bundle({ ...named('plain'), icon: circle });
      for (const name of ['piped', 'wired']) box.environment.bundle(named(name));
      const place = (app: string) => ({ parent: 'bundledApps', app, file: 'icon.svg' }) as const;
      await makePipe(box, place('piped'));
      // If the path is too long for a socket, the icon does not exist.
      const server = await makeSocket(box, place('wired'));
      try {
        const shown = await bundledIcons(box);
        equal('icon_svg of a pipe', shown.get('piped'), null);
        equal('icon_svg of a socket', shown.get('wired'), null);
        equal('icon_svg of an app beside them', shown.get('plain'), circle);
      } finally {
        server?.close();
      }
    },
  ),
  check(
    'box/icon/installed',
    ['box/icon/5', 'box/icon/2', 'box/listApps/3'],
    'applies the same rules to installed apps, and reads the file at each request',
    async (box) => {
      const folder = box.environment.placeInstalled({
        name: 'tidal',
        manifest: manifest('tidal', { icon: 'mark.image' }),
      });
      const shown = async () => list(await box.get('/api/apps'))[0]?.icon_svg;
      equal('without the file', await shown(), null);
      for (const [text, svg] of [
        [circle, circle],
        [sized(16385), null],
        [`<?xml?>${circle}`, circle],
        ['<svg onload=x>', null],
      ] as const) {
        writeFileSync(join(folder, 'mark.image'), text);
        equalIcon('after the file changed', await shown(), svg);
      }
    },
  ),
];
