import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { actionsOf, appOf } from '../actions.ts';
import { allSettings, declared, manifest, placeInstalled, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, env, envText, installedFolder, runningContainer } from '../disk.ts';
import { makePipe, makeSocket } from '../odd-files.ts';

const lagoon = { name: 'lagoon', manifest: manifest('lagoon', { settings: allSettings }) };
/** An app without services, for checks of its file only. */
const onPaper = {
  name: 'lagoon',
  manifest: manifest('lagoon', { settings: [...allSettings, ...declared('COMPOSE_PROFILES')] }),
  compose: null,
};
const mode = (box: BoxContext, file: string) =>
  (lstatSync(join(installedFolder(box, 'lagoon'), file)).mode & 0o777).toString(8);

async function shown(box: BoxContext): Promise<string | undefined> {
  const view = record(await box.get('/api/apps/lagoon/settings'));
  return (view.settings as { value: string }[] | undefined)?.[0]?.value;
}

/** Compose's result for a value if `SEA` is `blue` and `EMPTY` is empty. */
const variables: Readonly<Record<string, string>> = {
  $SEA: 'blue',
  '$SEA-green': 'blue-green',
  'a$NOBODY.b': 'a.b',
  '${SEA}': 'blue',
  '"${SEA}s"': 'blues',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
  "'${SEA}'": '${SEA}',
  'a${NOBODY}b': 'ab',
  'a${NOBODY-calm}b': 'acalmb',
  '${NOBODY:-calm}': 'calm',
  '${EMPTY-calm}.': '.',
  '${EMPTY:-calm}': 'calm',
  '${SEA:-calm}': 'blue',
  '${SEA-calm}': 'blue',
  '${SEA:+ahoy}': 'ahoy',
  '${EMPTY+ahoy}': 'ahoy',
  '${EMPTY:+ahoy}.': '.',
  '${NOBODY+ahoy}.': '.',
  '${SEA:?none}': 'blue',
  '${EMPTY?none}.': '.',
  '${NOBODY:-${SEA}}': 'blue',
  '${NOBODY:-${EMPTY:-deep}}er': 'deeper',
  '${SEA:+${SEA}} and ${EMPTY:-b}': 'blue and b',
  '"a\\nb\\tc\\\\d\\"e"': 'a\nb\tc\\d"e',
  '"\\$SEA"': '$SEA',
  "'a\\nb'": 'a\\nb',
};

/** The files below a folder that other users can read. */
function openFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const isOpen = (lstatSync(path).mode & 0o077) !== 0;
    if (!isOpen) return [];
    if (entry.isDirectory()) return openFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/dotenv/from-example',
    ['choice/box/75', 'choice/box/81', 'choice/box/82'],
    'copies .env.example to .env byte for byte and changes only the submitted values',
    async (box) => {
      const example = "# head\nexport  OTHER='x'\nSEATS=11 # few\n\n";
      box.environment.bundle({ ...lagoon, envExample: example });
      const { settings: entries } = record(await box.get('/api/apps/lagoon/settings'));
      const values = (entries as { value: string }[] | undefined)?.map((entry) => entry.value);
      equal('the starting values', values, ['ahoy', '11', '', '']);
      status(await box.install('lagoon', { NICK: 'n' }), 200);
      equal('.env', envText(box, 'lagoon'), `${example}NICK=n\n`);
    },
  ),
  check(
    'box/dotenv/without-example',
    ['choice/box/75', 'choice/box/81'],
    'starts with an empty .env if there is no example',
    async (box) => {
      box.environment.bundle(lagoon);
      status(await box.install('lagoon', { NICK: 'n' }), 200);
      equal('.env', envText(box, 'lagoon'), 'NICK=n\n');
    },
  ),
  check(
    'box/dotenv/read-as-compose-does',
    ['choice/box/78', 'choice/box/79', 'choice/box/80'],
    'reads values like Compose: quotes, comments, the last of two, the empty one',
    async (box) => {
      const table: [string, string][] = [
        ['GREETING=plain', 'plain'],
        ['GREETING=', ''],
        ['GREETING=a # comment', 'a'],
        ['GREETING=a#b', 'a#b'],
        ['GREETING="a \\"b\\" \\$c"', 'a "b" $c'],
        ["GREETING='$a # b'", '$a # b'],
        ['GREETING="two\nlines"', 'two\nlines'],
        ['export GREETING=x', 'x'],
        ['GREETING=first\nGREETING=last', 'last'],
        ['# GREETING=no', 'ahoy'],
        ['GREETINGS=no', 'ahoy'],
        ['GREETING=crlf\r\nOTHER=1\r\n', 'crlf'],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
        ['GREETING=${NOBODY:?none} here', 'ahoy'],
      ];
      for (const [text, value] of table) {
        box.environment.placeInstalled({ ...lagoon, env: `${text}\n` });
        equal(`value for ${JSON.stringify(text)}`, await shown(box), value);
      }
    },
  ),
  check(
    'box/dotenv/variables',
    ['choice/box/78'],
    'substitutes variables and escapes like Compose, so that the shown value is that of the container',
    async (box) => {
      const rows = Object.entries(variables).map(([text, value], index) => ({
        name: `V${index}`,
        text,
        value,
      }));
      box.environment.placeInstalled({
        name: 'lagoon',
        manifest: manifest('lagoon', { settings: declared(...rows.map(({ name }) => name)) }),
        env: ['SEA=blue', 'EMPTY=', ...rows.map(({ name, text }) => `${name}=${text}`), ''].join('\n'),
      });
      const view = record(await box.get('/api/apps/lagoon/settings'));
      const values = new Map(
        ((view.settings ?? []) as { name: string; value: string }[]).map((one) => [one.name, one.value]),
      );
      status(await box.changeSettings('lagoon', {}), 200);
      const { env: given } = await runningContainer(box, 'lagoon');
      for (const { name, text, value } of rows) {
        equal(`shown of ${text}`, values.get(name), value);
        equal(`given to the container of ${text}`, given[name], value);
      }
    },
  ),
  check(
    'box/dotenv/keeps-nonsense',
    ['choice/box/78', 'choice/box/532'],
    'keeps and ignores invalid lines',
    async (box) => {
      box.environment.placeInstalled({ ...lagoon, env: 'what is this\n=x\nGREETING=old\n!!\nGREETING!no\n' });
      equal('value', await shown(box), 'old');
      const answer = await box.changeSettings('lagoon', { GREETING: 'new' });
      ensure('accepted', [200, 207].includes(answer.status), answer.status);
      equal('.env', envText(box, 'lagoon'), 'what is this\n=x\nGREETING=new\n!!\nGREETING!no\n');
      box.environment.placeInstalled({ ...lagoon, env: 'GREETING=old\nLAST="no end\n' });
      await box.changeSettings('lagoon', { GREETING: 'new' });
      equal('.env with a quote that stays open', envText(box, 'lagoon'), 'GREETING=new\nLAST="no end\n');
    },
  ),
  check(
    'box/dotenv/unreadable',
    ['choice/box/172', 'choice/box/78'],
    'does not start an app whose .env is not UTF-8, not a file, or too large, says so, and does not block on a pipe',
    async (box) => {
      const names = ['bytes', 'folder', 'large', 'loop', 'pipe', 'socket'];
      placeInstalled(box, 'anchor', ...names);
      // A file of the maximum size, and a link with a target.
      const largest = `A=1\n#${'x'.repeat(1024 * 1024 - 6)}\n`;
      box.environment.placeInstalled({ name: 'brim', manifest: manifest('brim'), env: largest });
      writeFileSync(join(box.environment.root, 'elsewhere.env'), 'GREETING=hello there\n');
      box.environment.placeInstalled({ ...lagoon, env: '' });
      rmSync(join(installedFolder(box, 'lagoon'), '.env'));
      symlinkSync(join(box.environment.root, 'elsewhere.env'), join(installedFolder(box, 'lagoon'), '.env'));
      const fileOf = (name: string) => join(installedFolder(box, name), '.env');
      for (const name of names) rmSync(fileOf(name), { force: true });
      writeFileSync(fileOf('bytes'), Buffer.from('A=\xff\n', 'latin1'));
      mkdirSync(fileOf('folder'));
      symlinkSync('.env', fileOf('loop'));
      writeFileSync(fileOf('large'), `A=${'x'.repeat(1024 * 1024)}\n`);
      const place = (app: string) => ({ parent: 'installedApps', app, file: '.env' }) as const;
      await makePipe(box, place('pipe'));
      const server = await makeSocket(box, place('socket'));
      if (server === null) mkdirSync(fileOf('socket')); // The path is too long for a socket.
      try {
        for (const name of names) status(await box.get(`/api/apps/${name}/settings`), 200);
        const answer = await box.changeSettings('anchor', {});
        status(answer, 207);
        const errors = actionsOf(answer).filter((action) => action.kind === 'error');
        equal('the apps with an error', errors.map(appOf), names);
        for (const name of names) equal(`containers of ${name}`, await containersOf(box, name), []);
        equal('A in the container', (await runningContainer(box, 'brim')).env.A, '1');
        equal('what is shown of the other end of a link', await shown(box), 'hello there');
        equal('what its container gets', (await runningContainer(box, 'lagoon')).env.GREETING, 'hello there');
      } finally {
        server?.close();
      }
    },
  ),
  check(
    'box/dotenv/keeps-what-it-does-not-know',
    ['should/box/76'],
    'keeps comments, unknown keys and invalid lines of .env through settings updates and installs, or refuses',
    async (box) => {
      const kept = ['# a note by hand', 'UNKNOWN=k3pt', 'this is no line', '# größe'];
      const unreadable = Buffer.from('# gr\xf6\xdfe', 'latin1');
      const bundled = { name: 'lagoon', manifest: manifest('lagoon', { settings: [settings.text] }) };
      box.environment.bundle(bundled);
      const folder = box.environment.placeInstalled(bundled);
      const file = join(folder, '.env');
      const changes = [
        () => box.changeSettings('lagoon', { GREETING: 'new' }),
        () => box.install('lagoon', { GREETING: 'newer' }),
        () => box.install('lagoon'),
      ];
      for (const lines of [kept, [...kept, unreadable]]) {
        const before = Buffer.concat(
          [...lines, 'GREETING=old'].flatMap((line) => [Buffer.from(line), Buffer.from('\n')]),
        );
        for (const change of changes) {
          writeFileSync(file, before);
          const answer = await change();
          const after = readFileSync(file);
          if (answer.status >= 400) equal('.env after a refusal', after.toString('latin1'), before.toString('latin1'));
          for (const line of lines) ensure(`${line} is kept`, after.includes(line), after.toString('latin1'));
        }
      }
    },
  ),
  check(
    'box/dotenv/private',
    ['should/box/83'],
    'lets only its own user read a .env that it wrote, and each copy of it',
    async (box) => {
      const [first, second] = [box.secret(), box.secret()];
      box.environment.bundle({ ...lagoon, envExample: 'GREETING=x\n' });
      status(await box.install('lagoon', { VAULT_KEY: first }), 200);
      status(await box.changeSettings('lagoon', { VAULT_KEY: second }), 200);
      status(await box.install('lagoon'), 200);
      const { installedApps, stateDir } = box.environment;
      const open = [installedApps, stateDir]
        .flatMap((folder) => openFiles(folder))
        .filter((file) => {
          const text = readFileSync(file, 'utf8');
          return text.includes(first) || text.includes(second);
        });
      equal('files with the password that others can read', open, []);
    },
  ),
  check(
    'box/dotenv/mode-and-backup',
    ['choice/box/84', 'choice/box/85'],
    'writes .env and .env.bak with mode 0600, backs up the previous text, and replaces the file',
    async (box) => {
      box.environment.placeInstalled({ ...lagoon, env: 'GREETING=old\n' });
      // The owner has made a copy that every user may read.
      writeFileSync(join(installedFolder(box, 'lagoon'), '.env.bak'), 'GREETING=old\n', { mode: 0o644 });
      const before = lstatSync(join(installedFolder(box, 'lagoon'), '.env')).ino;
      status(await box.changeSettings('lagoon', { GREETING: 'new' }), 200);
      equal('.env', [mode(box, '.env'), envText(box, 'lagoon')], ['600', 'GREETING=new\n']);
      const backup = readFileSync(join(installedFolder(box, 'lagoon'), '.env.bak'), 'utf8');
      equal('.env.bak', [mode(box, '.env.bak'), backup], ['600', 'GREETING=old\n']);
      ensure('it is another file', lstatSync(join(installedFolder(box, 'lagoon'), '.env')).ino !== before);
    },
  ),
  check(
    'box/dotenv/same-text',
    ['choice/box/86'],
    'writes and restarts nothing if the text stays the same',
    async (box) => {
      box.environment.placeInstalled({ ...lagoon, env: 'GREETING="a b"\nX=1\n' });
      status(await box.changeSettings('lagoon', { GREETING: 'new value' }), 200);
      const container = await runningContainer(box, 'lagoon');
      const stat = () => {
        const { ino, mtimeMs } = lstatSync(join(installedFolder(box, 'lagoon'), '.env'));
        return [ino, mtimeMs, treeDigest(installedFolder(box, 'lagoon'))];
      };
      const before = stat();
      status(await box.changeSettings('lagoon', { GREETING: 'new value', X: 1 }), 200);
      status(await box.changeSettings('lagoon', {}), 200);
      equal('the files', stat(), before);
      const after = await runningContainer(box, 'lagoon');
      equal('the container', [after.id, after.startedAt], [container.id, container.startedAt]);
    },
  ),
  check(
    'box/dotenv/values-as-text',
    ['choice/box/87'],
    'writes booleans, numbers, arrays and objects as JSON, and refuses values without JSON',
    async (box) => {
      box.environment.placeInstalled({ ...lagoon, env: 'A=1\n' });
      const submitted = { A: true, B: false, C: 1.5, D: 1e21, E: [1, 'x'], F: { a: null }, G: 100, H: -0.25 };
      status(await box.changeSettings('lagoon', { ...submitted, I: null, J: ' as it is ', K: [], L: {} }), 200);
      const { A, B, C, D, E, F, G, H, I, J, K, L } = env(box, 'lagoon');
      equal(
        'the values',
        [A, B, C, D, E, F, G, H, I, J, K, L],
        ['true', 'false', '1.5', '1e+21', '[1,"x"]', '{"a":null}', '100', '-0.25', '', ' as it is ', '[]', '{}'],
      );
      const before = treeDigest(installedFolder(box, 'lagoon'));
      const depth = 500_000;
      for (const value of ['1e999', '-1e999', `${'['.repeat(depth)}${']'.repeat(depth)}`])
        refused(await box.post('/api/apps/lagoon/settings', `{"settings":{"A":${value}}}`), 400);
      equal('its files', treeDigest(installedFolder(box, 'lagoon')), before);
    },
  ),
  check(
    'box/dotenv/keys',
    ['choice/box/88', 'choice/box/89', 'choice/box/90'],
    'accepts any variable name as a key, and refuses other keys and those of Compose',
    async (box) => {
      const folder = box.environment.placeInstalled({ ...onPaper, env: 'A=1\n' });
      await box.get('/api/apps');
      const before = treeDigest(folder);
      for (const key of [
        '',
        ' A',
        '-A',
        'A ',
        '1',
        '1A',
        'A-B',
        'A.B',
        'A B',
        'Ä',
        'A=B',
        '#A',
        'A\nB',
        'COMPOSE_FILE',
        'COMPOSE_PROJECT_NAME',
        'COMPOSE_X',
      ]) {
        refused(await box.changeSettings('lagoon', { GREETING: 'x', [key]: 'x' }), 400);
        refused(await box.changeSettings('lagoon', { [key]: null }), 400);
      }
      equal('its files', treeDigest(folder), before);
      const taken = {
        _a1: 'x',
        lower: 'y',
        NOT_DECLARED: 'z',
        COMPOSED: 'c',
        MY_COMPOSE_: 'd',
        COMPOSE_PROFILES: 'declared',
        Z: 'one letter',
      };
      status(await box.changeSettings('lagoon', taken), 200);
      equal('the values', env(box, 'lagoon'), { A: '1', ...taken });
    },
  ),
  check(
    'box/dotenv/characters',
    ['choice/box/91'],
    'refuses NUL and control characters other than newline, carriage return and tab',
    async (box) => {
      const folder = box.environment.placeInstalled({ ...lagoon, env: 'A=1\n' });
      await box.get('/api/apps');
      const before = treeDigest(folder);
      for (const bad of '\u0000\u0001\u0007\b\v\f\u000e\u001b\u001f\u007f\u0080\u0085\u009f') {
        refused(await box.changeSettings('lagoon', { GREETING: `a${bad}b` }), 400);
      }
      equal('its files', treeDigest(folder), before);
      const good = 'a\tb\nc\r\nd \u00a0~';
      status(await box.changeSettings('lagoon', { GREETING: good }), 200);
      const container = await runningContainer(box, 'lagoon');
      equal('GREETING in the container', container.env.GREETING, good);
    },
  ),
  check(
    'box/dotenv/numbers',
    ['choice/box/92'],
    'refuses a text that is not a number for a number setting, and accepts an empty one',
    async (box) => {
      box.environment.placeInstalled({ ...onPaper, env: 'SEATS=1\n' });
      const words = ['seven', '7x', 'x7', '0x7', '1,5', 'NaN', 'Infinity', ' ', ' 1', '1 ', '1\n'];
      const halves = ['+', '--1', '.', '-.', 'e5', '1e', '1e+', '1.5.', '1e5.5'];
      for (const bad of [...words, ...halves, true, [1], [], {}])
        refused(await box.changeSettings('lagoon', { SEATS: bad }), 400);
      equal('SEATS', env(box, 'lagoon').SEATS, '1');
      const texts = ['7', '12', '+1', '-1.5', '12.75', '1.', '.5', '-.25', '1e5', '1E-5', '2.5e+10', '007'];
      for (const good of ['', ...texts, 12, -0.5, 1e21]) {
        status(await box.changeSettings('lagoon', { SEATS: good }), 200);
        equal('SEATS', env(box, 'lagoon').SEATS, String(good));
      }
      status(await box.changeSettings('lagoon', { SEATS: null }), 200);
      equal('SEATS', env(box, 'lagoon').SEATS, '');
    },
  ),
  check(
    'box/dotenv/edited-while-running',
    ['choice/box/532', 'choice/box/79'],
    'respects changes that the owner made in the meantime',
    async (box) => {
      box.environment.bundle({ ...lagoon, manifest: manifest('lagoon', { settings: [settings.text] }) });
      status(await box.install('lagoon', { GREETING: 'one' }), 200);
      const file = join(installedFolder(box, 'lagoon'), '.env');
      writeFileSync(file, '# by hand\nMINE=1\nGREETING="two"\n');
      equal('value', await shown(box), 'two');
      status(await box.changeSettings('lagoon', { GREETING: 'three' }), 200);
      equal('.env', readFileSync(file, 'utf8'), '# by hand\nMINE=1\nGREETING=three\n');
      ensure('the backup is there', existsSync(`${file}.bak`));
    },
  ),
];
