import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../check.ts';
import { holds, status } from '../expect.ts';
import { manifest } from './apps.ts';
import { installedFolder } from './disk.ts';

/** What of a bundled app arrives where it is installed. */
export const checks: Check[] = [
  check(
    'box/installApp/hidden-files-and-modes',
    ['box/service/14'],
    'copies files whose names begin with a dot, and leaves programs that can be run what they are',
    async (box) => {
      const files = { '.hidden': 'x', 'conf/.d/deep': 'y', 'run.sh': '#!/bin/sh\n' };
      const bundled = box.world.bundle({ name: 'quay', manifest: manifest('quay'), files });
      chmodSync(join(bundled, 'run.sh'), 0o755);
      status(await box.install('quay'), 200);
      const found = (name: string) =>
        lstatSync(join(installedFolder(box, 'quay'), name), { throwIfNoEntry: false });
      for (const name of Object.keys(files)) holds(`${name} is there`, found(name) !== undefined);
      holds('run.sh can be run', ((found('run.sh')?.mode ?? 0) & 0o100) !== 0);
    },
  ),
];
