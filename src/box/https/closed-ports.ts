import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { declaredPorts } from '../app-files/catalogue.ts';
import { type ComposeProject, type Containers, ContainersFailed } from '../core.ts';
import type { HttpsBox } from './https-box.ts';
import { closingOverride } from './rules/closed-ports.ts';
import { hostLabel, isToClose, labelOwners } from './rules/names.ts';

type Box = Pick<HttpsBox, 'apps' | 'folders' | 'https' | 'warn'>;

/** Binds the port that an app's name leads to to loopback, by an override file, each time that Compose brings it up. */
export function withClosedPorts(containers: Containers, box: Box): Containers {
  return {
    ...containers,
    up: async (project, ...rest) => containers.up(await closedProject(containers, box, project), ...rest),
  };
}

async function closedProject(containers: Containers, box: Box, project: ComposeProject): Promise<ComposeProject> {
  const { apps, https, warn } = box;
  const setting = https.setting();
  if (setting?.closing == null) return project;
  const installed = apps.all('installed');
  const app = installed.find(({ path }) => path === project.directory);
  if (app === undefined || !isToClose(setting, app.name)) return project;
  const label = hostLabel(app.name);
  const hasName = label !== null && labelOwners(installed).get(label) === app.name;
  const ports = declaredPorts(box, app);
  const overrideFor = async (one: ComposeProject) => {
    const { config } = await containers.config(one, one.project);
    return closingOverride(config, ports);
  };
  const override = hasName ? await overrideFor(project) : null;
  if (label === null || override === null) return project;
  const closed = { ...project, files: [...project.files, await https.keepOverride(label, override)] };
  const isTaken = await overrideFor(closed).then(
    (rest) => rest === null,
    ignore(ContainersFailed, () => false),
  );
  if (isTaken) return closed;
  warn(`the port of ${shownName(app.name)} stays open: Compose cannot bind it to 127.0.0.1`);
  return project;
}
