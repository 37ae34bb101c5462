import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import type { BoxSettings } from '../box-settings.ts';
import type { Base } from '../make-base.ts';
import { hostText } from '../rules/compose/published-ports.ts';
import { makeHttpsFiles } from './adapters/https-files.ts';
import type { HttpsPorts } from './ports.ts';

export function makeHttps({ directories, environment }: Base, settings: Pick<BoxSettings, 'console'>): HttpsPorts {
  return {
    ...makeHttpsFiles(directories.state, environment),
    pageTemplate: () => readFileSync(join(packageRoot, 'deploy/proxy/Caddyfile'), 'utf8'),
    consoleAddress: `${hostText(settings.console.host)}:${settings.console.port}`,
  };
}
