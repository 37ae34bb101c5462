import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AppFiles } from '../../../fakes/app-files.ts';
import type { BoxEnvironment } from '../../../fakes/box-environment.ts';
import type { Journal, ManualStep } from '../../kernel/journal.ts';

/** Wraps an environment so that the apps that a check places are recorded in the journal. */
export function recordSetup<Environment extends BoxEnvironment>(
  environment: Environment,
  journal: Journal,
): Environment {
  const recording = (put: BoxEnvironment['bundle'], does: string, parent: string) => (app: AppFiles) => {
    const folder = put(app);
    journal.push({
      by: 'hand',
      description: `${does} ${app.name}`,
      files: filesIn(folder, `${parent}/${app.name}`),
    });
    return folder;
  };
  const recorded: Pick<BoxEnvironment, 'bundle' | 'placeInstalled'> = {
    bundle: recording(environment.bundle, 'is bundled:', '$BUNDLED_APPS'),
    placeInstalled: recording(environment.placeInstalled, 'stands installed:', '$INSTALLED_APPS'),
  };
  return new Proxy(environment, {
    get: (target, key) => Reflect.get(Object.hasOwn(recorded, key) ? recorded : target, key),
  });
}

/** Omits large files and everything that is not a file. */
function filesIn(folder: string, shown: string): NonNullable<ManualStep['files']> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const short = names.filter((name) => {
    const about = statSync(join(folder, name), { throwIfNoEntry: false });
    return about?.isFile() === true && about.size <= longest;
  });
  return Object.fromEntries(short.map((name) => [`${shown}/${name}`, readFileSync(join(folder, name))]));
}

const longest = 20_000;
