import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { installedFolder } from '../disk.ts';

export const checks: Check<BoxContext>[] = [
  check(
    'box/installApp/hidden-files-and-modes',
    ['box/service/14'],
    'copies files whose names begin with a dot, and keeps programs executable',
    async (box) => {
      const files = { '.hidden': 'x', 'conf/.d/deep': 'y', 'run.sh': '#!/bin/sh\n' };
      const bundled = box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files });
      chmodSync(join(bundled, 'run.sh'), 0o755);
      status(await box.install('quay'), 200);
      const found = (name: string) => lstatSync(join(installedFolder(box, 'quay'), name), { throwIfNoEntry: false });
      for (const name of Object.keys(files)) ensure(`${name} is there`, found(name) !== undefined);
      ensure('run.sh can be run', ((found('run.sh')?.mode ?? 0) & 0o100) !== 0);
    },
  ),
  check(
    'box/installApp/file-names',
    ['box/service/14'],
    'copies files and folders with any names, and empty folders',
    async (box) => {
      const names = ['größe.txt', 'two words.txt', '日本/🗻', "it's $HOME & more", '-rf', 'a*b', 'UPPER', 'upper'];
      const files = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
      const bundled = box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files });
      mkdirSync(join(bundled, 'data', 'empty'), { recursive: true });
      status(await box.install('quay'), 200);
      const folder = installedFolder(box, 'quay');
      for (const name of names) {
        ensure(`${name} is there`, existsSync(join(folder, name)));
        equal(`the text of ${name}`, readFileSync(join(folder, name), 'utf8'), `of ${name}`);
      }
      ensure('the empty folder is there', existsSync(join(folder, 'data', 'empty')));
    },
  ),
  check(
    'box/installApp/large-file',
    ['box/service/14', 'box/states/5'],
    'copies a file of 65 MiB completely, in a first install and over a smaller file',
    async (box) => {
      const small = { 'grown.bin': 'small' };
      const bundled = box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: small });
      const installed = (name: string) => readFileSync(join(installedFolder(box, 'quay'), name));
      const makeLarge = (name: string) => {
        truncateSync(join(bundled, name), 65 * 1024 * 1024);
        appendFileSync(join(bundled, name), 'end');
      };
      const isWhole = (name: string) => installed(name).equals(readFileSync(join(bundled, name)));
      writeFileSync(join(bundled, 'large.bin'), 'begin');
      makeLarge('large.bin');
      status(await box.install('quay'), 200);
      ensure('the large file is copied whole', isWhole('large.bin'));
      // Keeps only one large copy at a time, because the folder may be in memory.
      for (const folder of [bundled, installedFolder(box, 'quay')]) rmSync(join(folder, 'large.bin'));
      makeLarge('grown.bin');
      status(await box.install('quay'), 200);
      ensure('the file that grew is copied whole', isWhole('grown.bin'));
    },
  ),
];
