import { catalogueApp } from '../app-files/catalogue.ts';
import { containersByApp } from '../engine/containers-by-app.ts';
import type { Container } from '../engine/rules/container.ts';
import type { ProjectModel } from '../rules/compose/project-model.ts';
import { newerVersion } from '../rules/manifest/newer-version.ts';
import type { RegistryAnswer, VersionsBox } from './ports.ts';
import { afterLook, type KnownVersions, type Newer } from './rules/known-versions.ts';

/**
 * Finds out which apps have a newer version: in the catalogue, or behind the tag of an image that runs. Asks each
 * registry once for each image, one after the other. Throws ContainersFailed if Docker does not answer.
 */
export async function lookForNewer(box: VersionsBox): Promise<KnownVersions> {
  const away = (await Promise.all(box.subjects.map((one) => one.beforeLook?.() ?? []))).flat();
  const { containers, failure } = await box.observer.look();
  if (failure !== null) throw failure;
  const installed = box.apps.all('installed');
  const records = box.records.load();
  const own = containersByApp(box, containers, installed, records);
  const running = new Map(installed.map(({ name }) => [name, followed(own.get(name) ?? [], records.get(name)?.model)]));
  const ids = new Set([...running.values()].flat().map(({ imageId }) => imageId));
  const digests = await box.containers.imageDigests([...ids]);
  const answers = new Map<string, RegistryAnswer>();
  const seen = new Map<string, Newer[]>();
  for (const app of installed) {
    const newer: Newer[] = [];
    const bundled = catalogueApp(box, app);
    const version = bundled === null ? null : newerVersion(app, bundled);
    if (version !== null) newer.push({ what: 'catalogue', of: app.name, to: version });
    for (const { image, imageId } of running.get(app.name) ?? []) {
      const local = (digests.get(imageId) ?? []).map((digest) => digest.slice(digest.indexOf('@') + 1));
      // An image that no registry has was made on this machine.
      if (local.length === 0 || newer.some(({ what, of }) => what === 'image' && of === image)) continue;
      const answer = answers.get(image) ?? (await box.versions.askRegistry(image));
      answers.set(image, answer);
      if ('digest' in answer && !local.includes(answer.digest))
        newer.push({ what: 'image', of: image, to: answer.digest });
    }
    seen.set(app.name, newer);
  }
  const unanswered = [...answers].flatMap(([image, answer]) =>
    'problem' in answer ? [{ image, reason: answer.problem }] : [],
  );
  const problems = [...away.map(({ what, reason }) => ({ image: what, reason })), ...unanswered];
  await box.versions.known.change((known) => afterLook(known, seen, problems, box.now()));
  return box.versions.known.load();
}

/** Running containers whose image comes from a registry, by the reference that their service names now. */
function followed(containers: readonly Container[], model: ProjectModel | null | undefined): Container[] {
  return containers
    .filter(({ state, service }) => state === 'running' && !model?.services[service]?.isBuilt)
    .map((one) => ({ ...one, image: model?.services[one.service]?.image ?? one.image }));
}
