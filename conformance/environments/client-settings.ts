import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes Docker settings that point to the socket and to the operator's plugins. */
export function writeClientSettings(folder: string, socket: string, pluginFolders: string[]): void {
  const name = 'environment';
  const meta = join(folder, 'contexts', 'meta', createHash('sha256').update(name).digest('hex'));
  mkdirSync(meta, { recursive: true });
  const settings = { currentContext: name, cliPluginsExtraDirs: pluginFolders };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  const endpoint = { Host: `unix://${socket}`, SkipTLSVerify: false };
  const context = { Name: name, Metadata: {}, Endpoints: { docker: endpoint } };
  writeFileSync(join(meta, 'meta.json'), JSON.stringify(context));
}
