import type { KeyObject } from 'node:crypto';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../gateway/store/schema.ts';
import { writeFileAtomic } from '../../lib/write-file.ts';
import { makeBundles } from '../bundle.ts';
import { type ArchiveFile, makeArchive } from './archive.ts';
import type { Task } from './arguments.ts';
import { billOfMaterials, thirdPartyLicences } from './bill-of-materials.ts';
import { readCheckout } from './checkout.ts';
import { type Feed, makeFeed, parseFeed, seconds } from './feed.ts';
import { publicKeyOf, readPrivateKey, signText } from './keys.ts';
import { type NodeRuntime, readNode } from './node-runtime.ts';
import { packageFiles } from './package-files.ts';
import { type Lockfile, packageFolders, readPackage } from './packages.ts';
import { signingOf, sourceTime } from './signing.ts';

/**
 * Builds the archives of the commit that is checked out, and the feed and the checksums beside them. Answers lines
 * that say what was made. Throws ReleaseFailed; the feed is written last, so it names no archive that is not there.
 * choice/box/350-353
 */
export async function buildRelease(
  root: string,
  task: Extract<Task, { kind: 'build' }>,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  // The keys first: a mistake in a path is not found after minutes.
  const key = readPrivateKey(task.key);
  const previous = task.previous === undefined ? undefined : readFeed(task.previous);
  const checkout = await readCheckout(root);
  const time = sourceTime(environment) ?? checkout.time;
  const signing = signingOf(task, key, new Date(time * 1000));
  const { nextKey: signingKey = key } = signing;

  const lock: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packages = packageFolders(await makeBundles()).map((folder) => readPackage(root, lock, folder));
  const nodes = await Promise.all(task.platforms.map((platform) => readNode(root, lock, platform)));
  const common = withKey(packageFiles(root, checkout), signingKey);

  mkdirSync(task.out, { recursive: true });
  const releases = await Promise.all(
    nodes.map(async (node) => {
      const bill = billOfMaterials(version, packages, [node], time);
      const files = [...common, ...filesOf(node, common), text('sbom.cdx.json', bill)];
      files.push(text('THIRD-PARTY-LICENSES.txt', thirdPartyLicences(packages, [node])));
      const top = `boxgate-${version}-${node.platform}`;
      const { bytes, sha256, unpackedSize } = await makeArchive(top, files, time);
      const url = `${top}.tar.gz`;
      await writeFileAtomic(join(task.out, url), bytes, 0o644);
      const { platform } = node;
      const { changelog } = task;
      const size = bytes.length;
      return {
        url,
        version,
        platform,
        sha256,
        size,
        unpackedSize,
        changelog,
        storeSchema: migrations.length,
      };
    }),
  );
  const bill = billOfMaterials(version, packages, nodes, time);
  const billName = `boxgate-${version}-sbom.cdx.json`;
  await writeFileAtomic(join(task.out, billName), bill, 0o644);
  const sums = [...releases.map(({ sha256, url }) => [sha256, url]), [sha256Of(bill), billName]];
  const sumsText = sums.map(([sha256, name]) => `${sha256}  ${name}\n`).join('');
  await writeFileAtomic(join(task.out, 'SHA256SUMS'), sumsText, 0o644);
  await writeFileAtomic(join(task.out, 'SHA256SUMS.sig'), `${signText(sumsText, signingKey)}\n`, 0o644);
  const feed = makeFeed(releases, previous, signing);
  await writeFileAtomic(join(task.out, 'release.json'), `${JSON.stringify(feed, null, 2)}\n`, 0o644);
  return [
    `boxgate ${version} is in ${task.out}, valid until ${seconds(signing.expires)}`,
    ...sums.map(([sha256, name]) => `${sha256}  ${name}`),
  ];
}

export function readFeed(file: string): Feed {
  return parseFeed(readFileSync(file, 'utf8'), file);
}

/** A box that is installed from the archive trusts the key that signed it, whatever key the checkout has. */
function withKey(files: readonly ArchiveFile[], key: KeyObject): ArchiveFile[] {
  const own = 'src/box/release-key.pem';
  return [...files.filter(({ path }) => path !== own), text(own, publicKeyOf(key))];
}

function filesOf(node: NodeRuntime, common: readonly ArchiveFile[]): ArchiveFile[] {
  const launcher = common.find(({ path }) => path === 'deploy/boxgate.sh');
  if (launcher === undefined) throw new Error('deploy/boxgate.sh is in no package');
  return [
    { path: 'bin/node', bytes: node.binary, executable: true },
    { path: 'bin/boxgate', bytes: launcher.bytes, executable: true },
  ];
}

function text(path: string, content: string): ArchiveFile {
  return { path, bytes: Buffer.from(content), executable: false };
}

function sha256Of(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
