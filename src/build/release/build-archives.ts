import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeSchema } from '../../gateway/store/schema.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { makeBundles } from '../bundle.ts';
import { type ArchiveFile, makeArchive } from './archive.ts';
import { billOfMaterials, thirdPartyLicences } from './bill-of-materials.ts';
import type { Checkout } from './checkout.ts';
import { ReleaseFailed } from './failure.ts';
import { type NodeRuntime, type Platform, platforms, readNode } from './node-runtime.ts';
import { packageFiles } from './package-files.ts';
import { type BundledPackage, type Lockfile, packageFolders, readPackage } from './packages.ts';
import { specPackage } from './spec-package.ts';

type ArchivesTask = {
  root: string;
  checkout: Checkout;
  /** In seconds since 1970. */
  time: number;
  platforms: readonly Platform[];
  /** PEM of the key that installations from these archives trust. */
  publicKey: string;
  out: string;
};

/**
 * Writes the archives, the package of the documents, the bill of materials and SHA256SUMS. They depend only on the
 * commit and the public key, so anyone can reproduce them without the private key. Throws ReleaseFailed.
 * @returns with `sums`, the text of SHA256SUMS
 */
export async function buildArchives(task: ArchivesTask) {
  const { root, time, out } = task;
  const lock: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  requireLockedNode(lock);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packages = packageFolders(await makeBundles()).map((folder) => readPackage(root, lock, folder));
  const nodes = await Promise.all(task.platforms.map((platform) => readNode(root, lock, platform)));
  const common = withKey(packageFiles(root, task.checkout), task.publicKey);
  mkdirSync(out, { recursive: true });
  const releases = await Promise.all(
    nodes.map(async (node) => {
      const { platform } = node;
      const top = `boxgate-${version}-${platform}`;
      const files = [...common, ...filesOf(node, common), ...listsOf(version, packages, node, time)];
      const { bytes, sha256, unpackedSize } = await makeArchive(top, files, time);
      const url = `${top}.tar.gz`;
      await writeFileAtomic(join(out, url), bytes, 0o644);
      return { url, version, platform, sha256, size: bytes.length, unpackedSize, storeSchema };
    }),
  );
  const specification = await makeArchive('package', specPackage(common), time);
  const specName = `boxgate-spec-${version}.tgz`;
  await writeFileAtomic(join(out, specName), specification.bytes, 0o644);
  const bill = billOfMaterials(version, packages, nodes, time);
  const billName = `boxgate-${version}-sbom.cdx.json`;
  await writeFileAtomic(join(out, billName), bill, 0o644);
  const lines = [
    ...releases.map(({ sha256, url }) => [sha256, url]),
    [specification.sha256, specName],
    [createHash('sha256').update(bill).digest('hex'), billName],
  ];
  const sums = lines.map(([sha256, name]) => `${sha256}  ${name}\n`).join('');
  await writeFileAtomic(join(out, 'SHA256SUMS'), sums, 0o644);
  return { version, releases, sums };
}

/** Another version of Node, or another processor, may compress to different bytes. */
function requireLockedNode(lock: Lockfile): void {
  const expected = lock.packages[`node_modules/node-${process.platform}-${process.arch}`]?.version;
  if (expected === undefined) throw new ReleaseFailed(`a release is built on ${platforms.join(' or ')}`);
  if (process.versions.node === expected) return;
  throw new ReleaseFailed(
    `this is Node ${process.versions.node}, a release is built with ${expected} of package-lock.json: use npm ci and npm run release`,
  );
}

/** Puts the signing key into the archive, so that its installations trust it. */
function withKey(files: readonly ArchiveFile[], publicKey: string): ArchiveFile[] {
  const own = 'src/box/release-key.pem';
  return [...files.filter(({ path }) => path !== own), text(own, publicKey)];
}

function filesOf(node: NodeRuntime, common: readonly ArchiveFile[]): ArchiveFile[] {
  const launcher = common.find(({ path }) => path === 'deploy/boxgate.sh');
  if (launcher === undefined) throw new Error('deploy/boxgate.sh is in no package');
  return [
    { path: 'bin/node', bytes: node.binary, executable: true },
    { path: 'bin/boxgate', bytes: launcher.bytes, executable: true },
  ];
}

function listsOf(version: string, packages: readonly BundledPackage[], node: NodeRuntime, time: number): ArchiveFile[] {
  return [
    text('sbom.cdx.json', billOfMaterials(version, packages, [node], time)),
    text('THIRD-PARTY-LICENSES.txt', thirdPartyLicences(packages, [node])),
  ];
}

function text(path: string, content: string): ArchiveFile {
  return { path, bytes: Buffer.from(content), executable: false };
}
