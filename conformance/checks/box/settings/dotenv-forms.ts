// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, record, status } from '../../../kernel/expect.ts';
import { declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { envText } from '../disk.ts';

const keys = ['A', 'B', 'C', 'D', 'E', 'F', 'V', 'Y', 'Z', 'exported', 'export'];
const unset = 'not set';
const raw = String.raw;

/** Files, and the values that Compose's parser reads from them. Compose reads no other keys. */
const readings: [string, Record<string, string>][] = [
  ['A=1\nB=two words\nC=a=b=c\n', { A: '1', B: 'two words', C: 'a=b=c' }],
  ['A=\nB=""\nC=\'\'\nD= \n', { A: '', B: '', C: '', D: '' }],
  ['A=1\nB=2', { A: '1', B: '2' }],
  ['# c\n\n  # d\nA=1\n#B=2\n\t\nC=3', { A: '1', C: '3' }],
  ['A=1 # c\nB=1#c\nC="1"#c\nD= #c\nE=#c', { A: '1', B: '1#c', C: '1', D: '#c', E: '#c' }],
  ['  A = 1 \n\tB=\t2\t\nC\t=   3 3  \n', { A: '1', B: '2', C: '3 3' }],
  ['export A=1\nexport  B=2\nexported=3\nexport=4\n', { A: '1', B: '2', exported: '3', export: '4' }],
  ['export\tA=1\nexport B = 2\n', { A: '1', B: '2' }],
  [
    'export V=Victor\nA=V\nB= Vv\nC=\v\f1\u00a0\nexport \vD=\u00852\n',
    { V: 'Victor', A: 'V', B: 'Vv', C: '1', D: '2' },
  ],
  ['A: 1\nB: "2"\nC:3\nD:a=b\n', { A: '1', B: '2', C: '3', D: 'a=b' }],
  ['A\nB=1\nexport C\nD', { B: '1' }],
  ['A=1\nA\n', { A: '1' }],
  ['F F="a\nA=2\n"\nB=3\n', { A: '2', B: '3' }],
  ['=x\nA=1\n', { A: '1' }],
  ['A="x y"\nB="#"\nC="a\'b"\nD="it # is"\n', { A: 'x y', B: '#', C: "a'b", D: 'it # is' }],
  [raw`A="a\nb\tc\rd\"e\\f\$g"`, { A: 'a\nb\tc\rd"e\\f$g' }],
  [raw`A="\a\b\f\v\x\0101\012\0\0777."`, { A: '\u0007\b\f\v\\xA\\12\\\\777.' }],
  ['A="a\nb"\nB=\'c\nd\'\n', { A: 'a\nb', B: 'c\nd' }],
  [raw`A='a\nb$C\\"'`, { A: raw`a\nb$C\\"` }],
  [raw`A='it\'s'`, { A: "it's" }],
  [raw`A=a\nb\"`, { A: raw`a\nb\"` }],
  ['A=a"b"\n', { A: 'a"b"' }],
  ['A="1" B=2\n', { A: '1', B: '2' }],
  ['A=1\r\nB="2"\r\nC=\r\n', { A: '1', B: '2', C: '' }],
  ['\uFEFFA=1\n', { A: '1' }],
  ['A=größe 日本\nü=3\nx[0]=4\n1=5\nc.d-e=6\nB=2', { A: 'größe 日本', B: '2' }],
  ['A=1\nB=$A\nC="${A}2"\nD=\'$A\'\n', { A: '1', B: '1', C: '12', D: '$A' }],
  ['A=[$B]\nB=1\nC=$B_\nD=$Bb\nE=$B-$b', { A: '[]', B: '1', C: '', D: '', E: '1-' }],
  ['A=$$B\nB=$1\nC=5$\nD="\\$A"\nE=a$ b\n', { A: '$B', B: '$1', C: '5$', D: '$A', E: 'a$ b' }],
  ['E=\nA=${X-1}${X:-2}${E-3}${E:-4}\n', { E: '', A: '124' }],
  ['E=\nY=y\nA=${X+1}${E+2}${E:+3}${Y:+4}\n', { E: '', Y: 'y', A: '24' }],
  ['Y=y\nE=\nA=${Y?no}${Y:?no}${E?no}\n', { Y: 'y', E: '', A: 'yy' }],
  ['Y=y\nA=${X:-${Y}-${Z-z}}!\n', { Y: 'y', A: 'y-z!' }],
  ['A=${X:-{}y}z}\n', { A: '{}y}z' }],
  ['A=1\nB=${A-]${C}2\n', { A: '1', B: '12' }],
  ['A=${X:-a} and ${Y:-b} and ${Z}.\n', { A: 'a and b and .' }],
  ['Y=y\nA=${Y}${Y}\nB=${Y:-a}${Y:+b}${Y}', { Y: 'y', A: 'yy', B: 'yby' }],
  // Compose refuses these files. The invalid line is ignored, the others are read.
  ...[
    'this is not a line',
    'F F=1',
    'F!=1',
    '{"F": 1}',
    'F="1',
    raw`F='1\'`,
    'F=${}',
    'F=${1}',
    'F=${F',
    'F=${F:-${C}',
    'F=${B?}',
    'F=${Y:?}${Y?}${B:?no}',
    'F=${B:-${C:?}}',
    'F=${B:-x}${C:?}',
    'F=${B?} ${Y}',
    'F=1\nF=${B?}',
  ].map((line): [string, Record<string, string>] => [`Y=1\n${line}\nZ=2\n`, { Y: '1', Z: '2' }]),
];

/** Files, submitted values, and the files afterwards. */
const changes: [string, Record<string, string>, string][] = [
  ['', { A: '1' }, 'A=1\n'],
  ['# c\nA=1', {}, '# c\nA=1'],
  ['A=1\nB=2\n', { B: '3' }, 'A=1\nB=3\n'],
  ['# a\n\nB=1 # b\n# c\nA=2\n', { A: '3', B: '4' }, '# a\n\nB="4" # b\n# c\nA=3\n'],
  ['A=1\n', { C: '3', B: '2' }, 'A=1\nC=3\nB=2\n'],
  ['A=1', { B: '2' }, 'A=1\nB=2\n'],
  ['A=1', { A: '2' }, 'A=2'],
  ['\nA=1', { B: '2' }, '\nA=1\nB=2\n'],
  ['# c\r\nA=1\r\n', { A: '2', B: '3' }, '# c\r\nA=2\r\nB=3\r\n'],
  ['\uFEFFA=1\n', { A: '2', B: '3' }, '\uFEFFA=2\nB=3\n'],
  ['\uFEFF', { A: '2' }, '\uFEFFA=2\n'],
  ['export A=1\nB: 2\nC = 3\n', { A: 'x', B: 'y', C: 'z' }, 'export A=x\nB: y\nC = z\n'],
  ["A='1'\nB=${A}\n", { A: '1', B: '1' }, "A='1'\nB=${A}\n"],
  ['A=1\nA=2\n', { A: '3' }, 'A=1\nA=3\n'],
  ['export A\nB', { A: '1', B: '2' }, 'export A=1\nB=2'],
  ['A="a\nb"\nB=1\n', { A: 'c' }, 'A=c\nB=1\n'],
  ['A="1" B=2\n', { A: '', B: '3' }, 'A="" B=3\n'],
  ['A=1\nB=1 # c\n', { A: '', B: '' }, 'A=\nB="" # c\n'],
  ['A="1\nB=2\n', { A: '3' }, 'A=3\nB=2\n'],
  ['A=1\nB=$A\n', { A: '2', B: '1' }, 'A=2\nB=1\n'],
  ['Y=1\nA="1\nB=2\n', { B: 'x y' }, 'Y=1\n# A="1\nB="x y"\n'],
  ['no line\nA="1\nB=2\nC=\'3\n', { B: 'x y', Z: '4' }, 'no line\n# A="1\nB="x y"\n# C=\'3\nZ=4\n'],
  ['A=1 \t\nB="2"  \n', { A: '3', B: '4' }, 'A=3 \t\nB=4  \n'],
  ['', { A: 'https://a.b:8080/c?d&e', B: 'p@ss!wörd' }, 'A=https://a.b:8080/c?d&e\nB=p@ss!wörd\n'],
  ['', { A: 'a`b', B: 'a_b-c.d/e:f@g%h+i,j=k' }, 'A="a`b"\nB=a_b-c.d/e:f@g%h+i,j=k\n'],
  ['', { A: 'a b#c', B: "it's", C: ' ' }, 'A="a b#c"\nB="it\'s"\nC=" "\n'],
  ['', { A: '"\\$x\n\r\t' }, 'A="\\"\\\\\\$x\\n\\r\t"\n'],
  ['', { A: '\n\n', B: 'a"b"c', C: '\r\r' }, 'A="\\n\\n"\nB="a\\"b\\"c"\nC="\\r\\r"\n'],
];

const app = {
  name: 'fen',
  manifest: manifest('fen', { settings: declared(...keys).map((one) => ({ ...one, default: unset })) }),
  compose: null,
};

async function shown(box: BoxContext): Promise<Record<string, string>> {
  const view = record(await box.get('/api/apps/fen/settings'));
  const entries = (view.settings ?? []) as { name: string; value: string }[];
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/dotenv/every-form',
    ['choice/box/78', 'choice/box/79', 'choice/box/80'],
    'reads every form of a line like Compose, and ignores lines that Compose would refuse',
    async (box) => {
      const folder = box.environment.placeInstalled(app);
      const none = Object.fromEntries(keys.map((key) => [key, unset]));
      for (const [text, values] of readings) {
        const file = join(folder, '.env');
        writeFileSync(file, text);
        equal(`the values of ${JSON.stringify(text)}`, await shown(box), { ...none, ...values });
      }
    },
  ),
  check(
    'box/dotenv/changed-in-place',
    ['choice/box/532', 'choice/box/77', 'choice/box/78', 'choice/box/79'],
    'changes only the value of a key, quotes only if necessary, and reads back what it wrote',
    async (box) => {
      const folder = box.environment.placeInstalled(app);
      for (const [text, values, after] of changes) {
        writeFileSync(join(folder, '.env'), text);
        const answer = await box.changeSettings('fen', values);
        status(answer, 200);
        equal(`after ${JSON.stringify(values)} in ${JSON.stringify(text)}`, envText(box, 'fen'), after);
        const found = await shown(box);
        for (const [key, value] of Object.entries(values)) equal(`${key} as it is shown`, found[key], value);
      }
    },
  ),
];
