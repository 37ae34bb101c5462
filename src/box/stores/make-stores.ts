import packageFile from '../../../package.json' with { type: 'json' };
import type { AppsBox } from '../apps/ports.ts';
import type { Base } from '../make-base.ts';
import { makeStoreFiles } from './adapters/store-files.ts';
import type { StorePorts } from './ports.ts';
import { storesSubject } from './stores-subject.ts';

/** @param fakes - of a test */
export function makeStores(
  { directories }: Base,
  box: AppsBox,
  fakes: Partial<StorePorts> = {},
): { stores: StorePorts; version: string } {
  const stores = { ...makeStoreFiles(directories.state), ...fakes };
  const { version } = packageFile;
  box.subjects.push(storesSubject({ ...box, stores, version }));
  return { stores, version };
}
