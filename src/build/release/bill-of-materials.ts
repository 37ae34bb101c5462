import { createHash } from 'node:crypto';
import type { NodeRuntime } from './node-runtime.ts';
import type { BundledPackage } from './packages.ts';

type Component = { name: string; version: string; integrity: string; licence: string };

/** The third-party parts of a release as CycloneDX 1.6. The same release gives the same text. */
export function billOfMaterials(
  version: string,
  packages: readonly BundledPackage[],
  nodes: readonly NodeRuntime[],
  time: number,
): string {
  const product = {
    type: 'application',
    'bom-ref': `boxgate@${version}`,
    name: 'boxgate',
    version,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const components = [
    ...packages.map((bundled) => ({ type: 'library', ...componentOf(bundled) })),
    ...nodes.map((node) => ({
      type: 'platform',
      ...componentOf({ ...node, licence: 'MIT' }),
      // Vulnerability databases list Node by this name, not by the name of the package.
      cpe: `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`,
    })),
  ];
  const refs = components.map((component) => component['bom-ref']);
  const bill = {
    metadata: { timestamp: new Date(time * 1000).toISOString(), component: product },
    components,
    dependencies: [{ ref: product['bom-ref'], dependsOn: refs }],
  };
  const serial = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: uuidOf(JSON.stringify(bill)), version: 1 };
  return `${JSON.stringify({ ...serial, ...bill }, null, 2)}\n`;
}

export function thirdPartyLicences(packages: readonly BundledPackage[], nodes: readonly NodeRuntime[]): string {
  const line = '='.repeat(80);
  const texts = [
    ...packages.map(({ name, version, licence, licenceText }) => [`${name} ${version} (${licence})`, licenceText]),
    // Node's licence text is the same for all platforms.
    ...nodes.slice(0, 1).map(({ version, licence }) => [`Node.js ${version}`, licence]),
  ];
  return texts.map(([title, text]) => `${line}\n${title}\n${line}\n\n${text?.trim()}\n`).join('\n');
}

function componentOf({ name, version, integrity, licence }: Component) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const digest = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    'bom-ref': purl,
    name,
    version,
    hashes: [{ alg: 'SHA-512', content: digest }],
    licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
    purl,
  };
}

/** A UUID (version 8) made from the digest of a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
