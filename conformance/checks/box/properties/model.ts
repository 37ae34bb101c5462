import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure } from '../../../kernel/expect.ts';
import { commandSeries, holdsForAll, runSeries, type Sample } from '../../../kernel/property.ts';
import type { BoxContext } from '../context.ts';
import { containersOf } from '../disk.ts';
import { boxWith, type Command, isDecided, step } from './box-model.ts';
import { verifyAgreement } from './model-agree.ts';
import { bundle, examples, labels, type ModelSession, place, placed } from './model-apps.ts';
import { command, keyOfVault } from './model-commands.ts';
import { execute } from './model-execute.ts';

/** Starts the apps that were installed by hand. */
const start: Command = { act: 'change', app: 'atoll', settings: {} };

async function follow(session: ModelSession, one: Command): Promise<void> {
  const { allowed, after } = step(session.model, one);
  const answer = await execute(session, one);
  if (answer !== null) {
    const asked = JSON.stringify(one);
    ensure(`${asked} is answered with ${allowed.join(' or ')}`, allowed.includes(answer.status), answer.status);
    ensure('no answer has a password', !answer.text.includes(keyOfVault), answer.text);
  }
  session.model = after;
  await verifyAgreement(session);
}

const series = commandSeries<Command, ModelSession>(
  command,
  20,
  ({ model, end }, one) => Date.now() < end && isDecided(model, one),
  follow,
);

async function drive(box: BoxContext, run: number, end: number, commands: Sample<typeof series>): Promise<void> {
  const nameOf = (label: string) => `${label}-${run}`;
  const session: ModelSession = { box, model: boxWith(examples, placed), nameOf, end };
  try {
    for (const label of labels) bundle(session, label);
    for (const label of placed) place(session, label);
    await follow(session, start);
    await runSeries(session, commands);
  } finally {
    await clear(session);
  }
}

/** Removes everything that a series of commands made. */
async function clear({ box, nameOf }: ModelSession): Promise<void> {
  for (const name of labels.map(nameOf)) {
    for (const parent of [box.environment.installedApps, box.environment.bundledApps])
      rmSync(join(parent, name), { recursive: true, force: true });
    for (const { id } of await containersOf(box, name)) await box.environment.docker.removeContainer(id);
  }
}

async function agreesWithModel(box: BoxContext, runs: number): Promise<void> {
  let run = 0;
  // A slow box runs fewer commands.
  const end = Date.now() + 45_000;
  await holdsForAll(box, 'the box is as the model', series, runs, (commands) => {
    run += 1;
    return drive(box, run, end, commands);
  });
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/model/random-commands',
    [
      'box/states/1',
      'box/states/2',
      'box/states/4',
      'box/states/5',
      'box/states/6',
      'box/states/8',
      'box/states/9',
      'box/service/13',
      'box/service/18',
      'box/service/19',
      'box/service/21',
      'box/post-rules/3',
      'box/post-rules/4',
      'box/post-rules/14',
    ],
    'behaves like a plain model of the requirements under random requests and manual changes',
    (box) => agreesWithModel(box, 4),
    { timeoutMs: 180_000 },
  ),
];
