/** Builds the documentation into dist-docs/: a static site that works from any folder or address, without a network. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../../../spec/document.ts';
import { makeSite } from './site.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const redoc = join(root, 'node_modules/redoc/bundles/redoc.standalone.js');

/** Replaces the folder by the site. Throws if a source does not have its form. */
export function buildDocs(folder: string): void {
  const readText = (path: string) => readFileSync(join(root, path), 'utf8');
  const { version } = JSON.parse(readText('package.json'));
  const documents = { box: readDocument('box'), gateway: readDocument('gateway') };
  const files = makeSite({ version, documents, readText, checks: JSON.parse(readText('spec/checks.json')) });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  for (const name of ['docs.css', 'reference.js']) copyFileSync(join(import.meta.dirname, name), join(folder, name));
  writeFileSync(join(folder, 'redoc.standalone.js'), offlineRedoc());
  copyFileSync(`${redoc}.LICENSE.txt`, join(folder, 'redoc.standalone.js.LICENSE.txt'));
}

/** Redoc without the logo that it would load from its makers' server. */
function offlineRedoc(): string {
  const bundle = readFileSync(redoc, 'utf8');
  const logo = '"https://cdn.redoc.ly/redoc/logo-mini.svg"';
  if (bundle.split(logo).length !== 2) throw new Error(`${redoc}: expected ${logo} once`);
  return bundle.replace(logo, '"data:,"').replace('\n//# sourceMappingURL=redoc.standalone.js.map', '');
}

if (import.meta.main) buildDocs(join(root, 'dist-docs'));
