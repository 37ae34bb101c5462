import type { Base } from '../make-base.ts';
import { makeContainerLogs, makeUsage } from './adapters/container-logs.ts';
import { makeFolderSizes } from './adapters/folder-sizes.ts';

export function makeLogs({ environment }: Base) {
  return { logs: { ...makeContainerLogs(environment), usage: makeUsage(environment), sizes: makeFolderSizes() } };
}
