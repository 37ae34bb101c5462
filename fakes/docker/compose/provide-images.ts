import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, engineState, faultPoint } from '../handler/call.ts';
import { isLocal, pullOne } from '../handler/images.ts';
import { Failure } from '../model/failure.ts';
import { buildImage, readReference } from '../model/images.ts';
import { parseReference } from '../model/reference.ts';
import type { Project } from './files/project.ts';
import { readText } from './files/read-text.ts';
import type { Fields } from './files/schema.ts';
import type { Service } from './files/service.ts';

type Wishes = { pull: string; build: boolean; noBuild: boolean };

/** Pulls and builds images before containers are created. */
export async function provideImages(
  call: Call,
  project: Project,
  services: readonly Service[],
  wishes: Wishes,
): Promise<void> {
  for (const service of services) checkReference(service.image);
  const pulled = new Set<string>();
  for (const service of services) {
    if (!needsPull(call, service, wishes.pull) || pulled.has(service.image)) continue;
    pulled.add(service.image);
    await pullService(call, project, service, false);
  }
  for (const service of services) {
    if (isLocal(call.read(), service.image) && !(wishes.build && service.isBuilt)) continue;
    if (service.isBuilt && !wishes.noBuild) await buildService(call, project, service);
    else
      throw new Failure(
        1,
        `Error response from daemon: No such image: ${parseReference(service.image)?.familiar ?? service.image}`,
      );
  }
}

function checkReference(image: string): void {
  try {
    readReference(image);
  } catch (error) {
    throw new Failure(1, `unable to get image '${image}': ${(error as Error).message}`);
  }
}

function needsPull(call: Call, service: Service, asked: string): boolean {
  const policy = asked || service.pullPolicy || 'missing';
  if (service.isBuilt && service.fields.image === undefined) return false;
  if (service.isBuilt && (policy === 'missing' || policy === 'if_not_present')) return false;
  if (policy === 'always') return true;
  if (policy === 'never' || policy === 'build') return false;
  return !isLocal(call.read(), service.image);
}

/** Pulls the image of a service and reports `Pulled` or `Error`. */
export async function pullService(call: Call, project: Project, service: Service, quiet: boolean): Promise<void> {
  engineState(call);
  const report = (word: string) => (quiet ? undefined : call.err(` ${service.name} ${word} \n`));
  report('Pulling');
  try {
    await pullOne(call, service.image, [service.name, project.name]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    report(`Error ${error.message.replace(/^Error response from daemon: /, '')}`);
    throw new Failure(error.status === 1 ? 18 : error.status, error.message);
  }
  report('Pulled');
}

async function buildService(call: Call, project: Project, service: Service): Promise<void> {
  await faultPoint(call, 'build', [service.image, service.name, project.name]);
  const build = service.fields.build as Fields;
  const dockerfile = join(String(build.context), String(build.dockerfile));
  const inline = build.dockerfile_inline;
  if (inline === undefined && !existsSync(dockerfile)) {
    throw new Failure(
      17,
      `failed to solve: failed to read dockerfile: open ${build.dockerfile}: no such file or directory`,
    );
  }
  const recipe = inline === undefined ? readText(dockerfile) : String(inline);
  await call.change((state) => buildImage(state, service.image, recipe));
}
