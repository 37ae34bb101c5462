import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env } from '../disk.ts';

const reed = (...names: string[]) => ({ name: 'reed', manifest: manifest('reed', { settings: declared(...names) }) });

export const checks: Check<BoxContext>[] = [
  check(
    'box/updateAppSettings/numbers',
    ['box/post-rules/1'],
    'writes zero, fractions and negative numbers unchanged',
    async (box) => {
      box.environment.placeInstalled({ ...reed('ZERO', 'HALF', 'MINUS'), env: 'OTHER=1\n' });
      status(await box.changeSettings('reed', { ZERO: 0, HALF: 1.5, MINUS: -3 }), 200);
      const { ZERO, HALF, MINUS } = env(box, 'reed');
      equal('the values', [ZERO, HALF, MINUS], ['0', '1.5', '-3']);
    },
  ),
  check(
    'box/updateAppSettings/key-beginnings',
    ['box/post-rules/3'],
    'distinguishes keys with a common prefix or suffix, and completes a last line without a line break',
    async (box) => {
      const text = 'PORT_WEB=1\nPORT=2\nMY_PORT=3\n#PORT=4\nLAST=5';
      box.environment.placeInstalled({ ...reed('PORT', 'PORT_WEB', 'LAST', 'NEW'), env: text });
      status(await box.changeSettings('reed', { PORT: '20', NEW: 'n' }), 200);
      const expected = { PORT_WEB: '1', PORT: '20', MY_PORT: '3', LAST: '5', NEW: 'n' };
      equal('.env as Compose reads it', env(box, 'reed'), expected);
    },
  ),
  check(
    'box/updateAppSettings/line-breaks',
    ['box/post-rules/3'],
    'lets no line break in a value or key change another key',
    async (box) => {
      box.environment.placeInstalled({ ...reed('A', 'KEPT'), env: 'KEPT=mine\nA=1\n' });
      const values = ['x\nKEPT=evil', 'x\r\nKEPT=evil\r\n', "x'\nKEPT=evil", 'x"\nKEPT=evil'];
      for (const one of [...values.map((A) => ({ A })), { 'B\nKEPT': 'evil' }]) {
        const answer = await box.changeSettings('reed', one);
        ensure('taken, or refused', [200, 400].includes(answer.status), answer.status);
        equal('KEPT', env(box, 'reed').KEPT, 'mine');
      }
    },
  ),
  check(
    'box/updateAppSettings/other-keys-in-any-form',
    ['box/post-rules/3'],
    'keeps the values of other keys, however their lines are written',
    async (box) => {
      const text = [
        '# comment\n\nPLAIN=a=b\n',
        'SINGLE=\'$5 for "two" # or three\'\n',
        'DOUBLE="say \\"ahoy\\" for \\$5"\n',
        'LINES="first\nsecond"\n',
        'HASH=a#b\nEMPTY=\nCHANGED=1\nURL=https://a.example/?b=c&d=e\n',
      ];
      box.environment.placeInstalled({ ...reed('CHANGED'), env: text.join('') });
      const before = env(box, 'reed');
      equal('keys before', Object.keys(before).length, 8);
      for (const CHANGED of ['2', '3']) {
        status(await box.changeSettings('reed', { CHANGED }), 200);
        equal('.env as Compose reads it', env(box, 'reed'), { ...before, CHANGED });
      }
    },
  ),
  check(
    'box/updateAppSettings/half-a-character',
    ['box/updateAppSettings/11', 'box/errors/6'],
    'accepts or refuses a value that is not a text, without a failure',
    async (box) => {
      box.environment.placeInstalled({ ...reed('A'), env: 'A=1\n' });
      const answer = await box.post('/api/apps/reed/settings', '{"settings":{"A":"x\\ud800y"}}');
      if (answer.status !== 200) refused(answer, 400);
    },
  ),
  check(
    'box/updateAppSettings/invalid-one-by-one',
    ['box/updateAppSettings/11', 'box/errors/6'],
    'refuses each name and value that a .env cannot represent, or changes nothing else',
    async (box) => {
      box.environment.placeInstalled({ ...reed('KEPT'), env: 'KEPT=mine\n' });
      for (const bad of [{ '': 'x' }, { 'A=B': 'x' }, { 'C\nD': 'x' }, { E: 'nul\u0000byte' }]) {
        const answer = await box.changeSettings('reed', bad);
        if (answer.status !== 200) refused(answer, 400);
        equal('KEPT', env(box, 'reed').KEPT, 'mine');
      }
    },
  ),
];
