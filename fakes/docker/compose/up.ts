import { type Call, engineState, faultPoint } from '../handler/call.ts';
import { type Flags, readFlags } from '../handler/views/flags.ts';
import { Failure, unknown } from '../model/failure.ts';
import type { Compose } from './context.ts';
import { label, projectContainers } from './context.ts';
import { convergeService, type Recreate, removeOne, startService } from './converge.ts';
import { loadProject, logWarning, type Project, selectServices } from './files/project.ts';
import type { Service } from './files/service.ts';
import { provideImages } from './provide-images.ts';
import { ensureResources } from './resources.ts';
import { waitForDependencies, waitForService } from './wait.ts';

const createForm = 'pull= build no-build force-recreate no-recreate remove-orphans quiet-pull scale* y/yes';
const upForm = `${createForm} d/detach no-deps wait wait-timeout= no-color no-log-prefix t/timeout= V/renew-anon-volumes always-recreate-deps no-start no-attach* attach* timestamps quiet-build`;

/** `docker compose up -d` (or `--wait`, `--no-start`). */
export async function up({ call, global, argv }: Compose): Promise<void> {
  const flags = readFlags('compose up', upForm, argv);
  if (!flags.has('detach') && !flags.has('wait') && !flags.has('no-start')) {
    throw unknown('"compose up" without --detach');
  }
  const { project, services } = await prepare(call, global, flags, 'compose up');
  if (flags.has('no-start')) return;
  for (const service of services) {
    await waitForDependencies(call, project.name, service);
    await startService(call, project.name, service.name);
  }
  if (flags.has('wait')) await waitForAll(call, project, services, flags);
  await faultPoint(call, 'compose up', subjects(project), 'after');
}

/** `docker compose create`: `up` without the start. */
export async function create({ call, global, argv }: Compose): Promise<void> {
  await prepare(call, global, readFlags('compose create', createForm, argv), 'compose create');
}

const subjects = (project: Project) => [project.name, project.sources.directory];

async function prepare(call: Call, global: Flags, flags: Flags, point: string) {
  if (flags.has('force-recreate') && flags.has('no-recreate')) {
    throw new Failure(1, '--force-recreate and --no-recreate are incompatible');
  }
  if (flags.has('build') && flags.has('no-build')) throw new Failure(1, '--build and --no-build are incompatible');
  const project = loadProject(call, global, flags.rest);
  const services = selectServices(project, flags.rest, !flags.has('no-deps'));
  if (services.length === 0) throw new Failure(1, 'no service selected');
  await faultPoint(call, point, subjects(project));
  engineState(call);
  await provideImages(call, project, services, {
    pull: pullPolicy(flags.text('pull')),
    build: flags.has('build'),
    noBuild: flags.has('no-build'),
  });
  await settleOrphans(call, project, flags.has('remove-orphans'));
  await ensureResources(call, project, services);
  await converge(call, project, services, flags, global.list('env-file'));
  return { project, services };
}

function pullPolicy(asked: string | undefined): string {
  if (asked && !['always', 'missing', 'never', 'build', 'policy'].includes(asked)) {
    throw new Failure(1, `invalid --pull option "${asked}"`);
  }
  return asked && asked !== 'policy' ? asked : '';
}

async function converge(
  call: Call,
  project: Project,
  services: readonly Service[],
  flags: Flags,
  envFiles: string[],
): Promise<void> {
  const recreate: Recreate = flags.has('force-recreate') ? 'force' : flags.has('no-recreate') ? 'never' : 'diverged';
  const scales = new Map(flags.list('scale').map((entry) => entry.split('=') as [string, string]));
  const remade = new Set<string>();
  for (const service of services) {
    const strategy = followsDependency(service, remade)
      ? withDependency(recreate)
      : strategyOf(flags, service, recreate);
    const scale = Number(scales.get(service.name) ?? service.scale);
    const isRemade = await convergeService({ call, project, envFiles }, service, strategy, scale);
    if (isRemade) remade.add(service.name);
  }
}

const withDependency = (recreate: Recreate): Recreate => (recreate === 'never' ? 'never' : 'force');

/** `--force-recreate` does not apply to dependencies of the named services. */
function strategyOf(flags: Flags, service: Service, recreate: Recreate): Recreate {
  const isAsked = flags.rest.length === 0 || flags.rest.includes(service.name);
  return recreate === 'force' && !isAsked && !flags.has('always-recreate-deps') ? 'diverged' : recreate;
}

/** Compose 2.26 also recreates the dependents of a recreated service; later versions do not. */
function followsDependency(service: Service, remade: ReadonlySet<string>): boolean {
  return Object.keys(service.dependencies).some((name) => remade.has(name));
}

async function settleOrphans(call: Call, project: Project, removes: boolean): Promise<void> {
  const known = new Set([...project.services, ...project.disabled].map((service) => service.name));
  const orphans = projectContainers(call.read(), project.name).filter(
    (one) => !known.has(one.labels[label.service] ?? ''),
  );
  if (orphans.length === 0) return;
  if (!removes) {
    return logWarning(
      call,
      `Found orphan containers ([${orphans.map((one) => one.name).join(' ')}]) for this project. If you removed or renamed this service in your compose file, you can run this command with the --remove-orphans flag to clean it up.`,
    );
  }
  for (const orphan of orphans) await removeOne(call, orphan, project.name);
}

async function waitForAll(call: Call, project: Project, services: readonly Service[], flags: Flags): Promise<void> {
  const seconds = flags.text('wait-timeout');
  const until = seconds ? call.now() + Number(seconds) * 1000 : Number.POSITIVE_INFINITY;
  for (const service of services) await waitForService(call, project.name, service.name, 'running_or_healthy', until);
}
