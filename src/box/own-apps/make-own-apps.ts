import { join } from 'node:path';
import { dockerEnvironment } from '../adapters/docker/docker-environment.ts';
import { makeAppFolders } from '../adapters/files/app-folders.ts';
import { makeCatalogue } from '../app-files/read-apps.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { Base } from '../make-base.ts';
import { makeOwnFolder } from './adapters/own-folder.ts';
import { ownAppsSubject } from './own-apps-subject.ts';
import type { OwnAppsPorts } from './ports.ts';

/** @param catalogue - the folders of the owner's own apps; pasted ones go into the first */
export function makeOwnApps(
  { directories, environment, report }: Base,
  box: AppsBox,
  catalogue: readonly string[],
): { ownApps: OwnAppsPorts } {
  const path = join(directories.state, 'own-check');
  const folders = makeAppFolders({ installed: path, bundled: () => [] }, dockerEnvironment(environment));
  const ownApps = {
    ...makeOwnFolder(catalogue[0] ?? null, { checks: path, lock: join(directories.state, 'own-apps.lock') }),
    checked: { path, folders, apps: makeCatalogue(folders, report) },
  };
  box.subjects.push(ownAppsSubject({ ...box, ownApps }));
  return { ownApps };
}
