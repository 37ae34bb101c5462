// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const update = inFile('box/apps/update-app.ts');
const handlers = inFile('box/handlers.ts');
const refusals = inFile('box/refusals.ts');
const changes = inFile('box/rules/compose/image-changes.ts');

const answered = 'body: { app: name, updated: services.length > 0, services, ...upgrade }';
const change = '{ service, from: imageId, to: localId, tag }';
const upToDate = 'if (changes.length === 0 && !isCutShort) return changes;';
const recreated = 'await recreate(box, { ...project, services, oldFaults }, before, changes);';
const pulled = 'box.containers.pull(project.compose, hasBuilt(project)),';
const updated = 'const services = project === null ? [] : await update(box, project, record);';

/** Updating the images of an app. */
export const imageFaults: readonly BoxFault[] = [
  boxFault(
    'update-extra-key',
    'adds the status to the answer of an update',
    'updateApp/1',
    handlers(answered, 'body: { app: name, updated: services.length > 0, services, ok: true }'),
  ),
  boxFault(
    'update-202',
    'answers an update with 202',
    'updateApp/1',
    handlers(
      'status: 200 as const,\n        body: { app: name',
      'status: 202 as const,\n        body: { app: name',
    ),
  ),
  boxFault(
    'update-without-services',
    'leaves services out when nothing changed',
    'updateApp/1 updateApp/3',
    handlers(
      answered,
      'body: services.length > 0 ? { app: name, updated: true, services } : { app: name, updated: false }',
    ),
  ),
  boxFault(
    'update-counts',
    'answers how many services changed for updated',
    'updateApp/3',
    handlers(answered, 'body: { app: name, updated: services.length, services }'),
  ),
  boxFault(
    'update-services-names',
    'answers the names of changed services',
    'updateApp/3',
    handlers(
      answered,
      'body: { app: name, updated: services.length > 0, services: services.map((one) => one.service) }',
    ),
  ),
  boxFault(
    'update-app-path',
    'answers the path of the updated app',
    'updateApp/7',
    handlers(answered, 'body: { app: box.folders.path(name), updated: services.length > 0, services }'),
  ),
  boxFault(
    'update-starts-stopped',
    'compares and starts a stopped app',
    'post-rules/6 post-rules/12 states/7',
    update('comparedContainers(running)', 'running'),
    update('servicesToStart(running, known) ?? undefined', 'undefined'),
  ),
  boxFault(
    'update-starts-stopped-service',
    'starts a stopped service of an app that it updates',
    'choice/box/240',
    update('servicesToStart(running, known) ?? undefined', 'undefined'),
  ),
  boxFault(
    'update-forgets-jobs',
    'recreates a service without the job that has to end before it',
    'choice/box/241',
    changes('services[service]?.after ?? []', '[]'),
  ),
  boxFault(
    'always-updated',
    'says of every update that something changed',
    'post-rules/14',
    handlers(answered, 'body: { app: name, updated: true, services }'),
  ),
  boxFault(
    'never-updated',
    'says of no update that something changed',
    'post-rules/14',
    handlers(answered, 'body: { app: name, updated: false, services }'),
  ),
  boxFault('nothing-pulled', 'pulls nothing', 'service/24', update(pulled, 'Promise.resolve(),')),
  boxFault(
    'nothing-recreated',
    'reports newer images and recreates nothing',
    'service/25 states/7 post-rules/13',
    update(recreated, ''),
  ),
  boxFault(
    'all-recreated',
    'recreates the containers whose image stayed too',
    'service/25',
    update(
      recreated,
      'if (changes.length > 0) await box.containers.down(project.compose);\n  await recreate(box, { ...project, oldFaults }, before, changes);',
    ),
  ),
  boxFault(
    'always-recreated',
    'recreates containers when nothing is newer',
    'service/25 post-rules/14',
    update(upToDate, 'await box.containers.down(project.compose);'),
  ),
  boxFault(
    'neighbours-recreated',
    'recreates the containers of other apps that have the image',
    'service/25',
    update(
      updated,
      "const services = project === null ? [] : await update(box, project, record);\n      for (const other of box.folders.list('installed')) {\n        const verdict = await readProject(box, other.name, undefined);\n        if (verdict.ok) await bringUp(box, verdict.project, await listContainers(box));\n      }",
    ),
  ),
  boxFault(
    'change-service-container',
    'names the container where the service belongs',
    'image-change/1',
    changes(change, '{ service: `${service}-1`, from: imageId, to: localId, tag }'),
  ),
  boxFault(
    'change-ids-swapped',
    'swaps the ids of the old and the new image',
    'image-change/2 image-change/3',
    changes(change, '{ service, from: localId, to: imageId, tag }'),
  ),
  boxFault(
    'change-from-short',
    'cuts the id of the old image short',
    'image-change/2',
    changes(change, '{ service, from: imageId.slice(0, 19), to: localId, tag }'),
  ),
  boxFault(
    'change-to-tag',
    'names the tag where the id of the new image belongs',
    'image-change/3',
    changes(change, '{ service, from: imageId, to: tag, tag }'),
  ),
  boxFault(
    'change-tag-id',
    'names the id of the image where the tag belongs',
    'image-change/4',
    changes(change, '{ service, from: imageId, to: localId, tag: localId }'),
  ),
  boxFault(
    'change-tag-latest',
    'says latest for every tag',
    'image-change/4',
    changes(change, "{ service, from: imageId, to: localId, tag: 'latest' }"),
  ),
  boxFault(
    'image-change-extra-key',
    'adds a time to image changes',
    'image-change/5',
    changes(change, '{ service, from: imageId, to: localId, tag, at: 0 }'),
  ),
  boxFault(
    'change-without-tag',
    'leaves the tag out of image changes',
    'image-change/4 image-change/5',
    changes(change, '{ service, from: imageId, to: localId }'),
  ),
  boxFault(
    'all-reported',
    'reports the services whose image stayed too',
    'post-rules/12 post-rules/14 updateApp/1',
    changes(
      'localId === undefined || localId === imageId || changes.has(service)',
      'localId === undefined || changes.has(service)',
    ),
  ),
  boxFault(
    'one-reported',
    'reports one service of several',
    'post-rules/12',
    changes(
      'return [...changes.values()].sort((a, b) => (a.service < b.service ? -1 : 1));',
      'return [...changes.values()].slice(0, 1);',
    ),
  ),
  boxFault(
    'pull-tells',
    'compares the images before and after the pull, whatever runs',
    'post-rules/6 post-rules/12',
    update(
      '  const [looked, pulled] = await',
      '  const early = await runningImages(box, project, record);\n  const ids = await box.containers.imageIds(early.map(({ tag }) => tag));\n  const [looked, pulled] = await',
    ),
    update(
      'looked.value.filter(',
      'looked.value.map((one) => ({ ...one, imageId: ids.get(one.tag) ?? one.imageId })).filter(',
    ),
  ),
  boxFault(
    'compared-before-pull',
    'compares before it pulls',
    'post-rules/6 service/24',
    update(
      '  const [looked, pulled] = await',
      '  const early = await runningImages(box, project, record);\n  const localIds = await box.containers.imageIds(early.map(({ tag }) => tag));\n  const [looked, pulled] = await',
    ),
    update(
      '  const localIds = await box.containers.imageIds([...new Set(running.map(({ tag }) => tag))]);\n',
      '',
    ),
  ),
  boxFault(
    'tool-fails-500',
    'answers 500 when the container tool fails',
    'updateApp/6 errors/10',
    refusals('containerToolFailed: { status: 502', 'containerToolFailed: { status: 500'),
  ),
  boxFault(
    'tool-fails-200',
    'answers that nothing is newer when the container tool fails',
    'updateApp/6 errors/10',
    update("refuse('containerToolFailed', { reason: fitToShow(box, error.message) });", 'return [];'),
  ),
  boxFault(
    'pull-fails-200',
    'goes on when an image cannot be pulled',
    'updateApp/6',
    update("  if (pulled.status === 'rejected') throw pulled.reason;\n", ''),
  ),
  boxFault(
    'pull-fails-down',
    'takes an app down whose image cannot be pulled',
    'updateApp/6',
    update(
      "if (pulled.status === 'rejected') throw pulled.reason;",
      "if (pulled.status === 'rejected') await box.containers.down(project.compose);\n  if (pulled.status === 'rejected') throw pulled.reason;",
    ),
  ),
  boxFault(
    'update-that-did-not-start',
    'tells of an update as done although the new container does not start',
    'updateApp/6 errors/10',
    update('    throw await rollBack(', '    await rollBack('),
  ),
  boxFault(
    'update-installs',
    'answers 200 to an update of an app that is only bundled',
    'updateApp/5',
    update(
      '  refuseNotInstalled(box, name);\n  return box.changes.run',
      "  if (box.folders.find('installed', name) === null && /^[\\w-]+$/.test(name) && box.folders.find('bundled', name)) return [];\n  refuseNotInstalled(box, name);\n  return box.changes.run",
    ),
  ),
];
