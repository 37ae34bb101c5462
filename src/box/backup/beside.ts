import type { Project } from '../app-files/project.ts';
import type { AppsBox } from '../apps/ports.ts';
import { ContainersFailed } from '../core.ts';
import { besideProblem } from './rules/beside-problem.ts';

/** Refuses a project that would disturb the app beside which its app was made. `directory`: where its files are now. */
export async function refuseDisturbing(box: AppsBox, { files, model }: Project, directory: string): Promise<void> {
  const { config } = await box.containers.config(files, model.name);
  const problem = besideProblem(config, { project: model.name, directory, real: box.disks.look().real });
  if (problem !== null) throw new ContainersFailed(`the app cannot run beside itself: ${problem}`, false);
}
