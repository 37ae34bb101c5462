import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import type { Command } from './command.ts';
import { boxCommands } from './commands/box.ts';
import { tunnelCommands } from './commands/tunnel.ts';
import { commandHelp, runCommandLine } from './run-command-line.ts';

const folder = temporaryFolder();
writeFileSync(
  join(folder, 'box.env'),
  'BOX_STATE_DIR=/srv/state\nBOX_INSTALLED_APPS=/srv/apps\nDOCKER_HOST=unix:///d\n',
);

/** The variables that a command gets, with one of its own. */
async function variablesOf(usage: string, own: Record<string, string> = {}): Promise<NodeJS.ProcessEnv> {
  let found: NodeJS.ProcessEnv = {};
  const group = [...boxCommands, ...tunnelCommands].map(
    (command): Command => ({
      ...command,
      async run({ env }) {
        found = env;
        return 0;
      },
    }),
  );
  const groups = { box: async () => group, tunnel: async () => group };
  const words = usage.split(' ').filter((word) => !word.startsWith('['));
  await runCommandLine(groups, words, { BOX_STATE_DIR: '/mine', ...own }, folder);
  return found;
}

test('every command of a box has the variables of its settings file, and its own before them; a server has its own', async () => {
  const own = { BOX_STATE_DIR: '/mine' };
  const both = { ...own, BOX_INSTALLED_APPS: '/srv/apps', DOCKER_HOST: 'unix:///d' };
  for (const { usage } of [...boxCommands, ...tunnelCommands]) {
    const isServer = usage === 'box serve' || usage === 'box console';
    assert.deepEqual({ ...(await variablesOf(usage)) }, isServer ? own : both, usage);
  }
  const job = { BOX_UPDATE_ATTEMPT: '1' };
  assert.deepEqual(await variablesOf('box update apply', job), { ...own, ...job });
});

test('the help of a flag names a variable only if it is read', () => {
  const command = boxCommands.find(({ usage }) => usage.startsWith('box backup restore'));
  assert.ok(command !== undefined);
  const lines = commandHelp(command);
  for (const flag of ['--to FOLDER', '--all', '--as NAME'])
    assert.match(lines, new RegExp(`${flag} .*\\[default: (?:none|no)\\]`));
});

test('a settings file that cannot be read ends a command, and not its help', async () => {
  const wrong = temporaryFolder();
  mkdirSync(join(wrong, 'box.env'));
  const groups = { box: async () => boxCommands };
  assert.equal(await runCommandLine(groups, ['box', 'trash', 'list', '--help'], {}, wrong), 0);
  await assert.rejects(runCommandLine(groups, ['box', 'trash', 'list'], {}, wrong), /^Error: cannot read .*box\.env/);
});
