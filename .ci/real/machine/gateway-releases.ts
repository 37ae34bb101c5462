import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const software = '/opt/boxgate';
const day = 24 * 60 * 60 * 1000;
const platform = `linux-${process.arch}`;

/** The differences between a new version and the running version. */
type Twist = {
  /** Shell commands that run before the server of this version starts. */
  start?: string;
  /** Whether the new version has one more migration of the store. */
  migrates?: boolean;
};

/** A folder with a feed, the archive that it announces, and the public key that signs both. */
export function makePublisher(folder: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = join(folder, 'key.pem');
  const feed = join(folder, 'release.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(key, publicKey.export({ type: 'spki', format: 'pem' }));

  /**
   * Announces a version that is built from the installed one. `schema` is the store's schema version of the installed
   * one.
   */
  function publish(version: string, schema: number, twist: Twist = {}): void {
    const top = `boxgate-${version}-${platform}`;
    const made = join(folder, top);
    rmSync(made, { recursive: true, force: true });
    makeVersion(made, version, twist);
    const url = `${top}.tar.gz`;
    const packed = spawnSync('tar', ['-I', 'gzip -1', '-cf', url, '--owner=0', '--group=0', top], { cwd: folder });
    if (packed.status !== 0) throw new Error(packed.stderr.toString());
    const archive = readFileSync(join(folder, url));
    const sha256 = createHash('sha256').update(archive).digest('hex');
    const statement = JSON.stringify({
      type: 'release',
      product: 'boxgate',
      version,
      platform,
      sha256,
      size: archive.length,
      unpacked_size: sizeOf(made),
      issued: at(Date.now() - day),
      expires: at(Date.now() + 180 * day),
      changelog: `https://boxgate.example/changelog/${version}`,
      store_schema: schema + (twist.migrates === true ? 1 : 0),
    });
    const signature = sign(null, Buffer.from(statement), privateKey).toString('base64');
    const archives = { [platform]: { url, sha256, size: archive.length, signature, statement } };
    writeFileSync(feed, JSON.stringify({ version, archives }));
  }

  return { publish, key, feed: pathToFileURL(feed).href };
}

const at = (time: number) => new Date(time).toISOString().replace(/\.\d+/, '');

function makeVersion(folder: string, version: string, { start = ':', migrates = false }: Twist): void {
  const installed = readlinkSync(join(software, 'current'));
  cpSync(join(software, installed), folder, { recursive: true });
  rmSync(join(folder, 'dist/cache'), { recursive: true, force: true });
  const change = (name: string, from: RegExp, to: string) => {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    if (from.test(text)) writeFileSync(path, text.replace(from, to));
    else if (name.endsWith('gateway-main.cjs')) throw new Error(`${name} has no ${from}`);
  };
  const own = new RegExp(`"${installed.replaceAll('.', '\\.')}"`);
  change('package.json', own, `"${version}"`);
  for (const name of readdirSync(join(folder, 'dist')).filter((one) => one.endsWith('.cjs'))) {
    change(`dist/${name}`, own, `"${version}"`);
  }
  if (migrates) {
    const more = '$1, () => ["CREATE TABLE later (id TEXT)"]];';
    change('dist/gateway-main.cjs', /(migrations = \[[\w,\s]+\w)\s*\];/, more);
  }
  const words = `\n[ "$2" != serve ] || [ "$3" = --help ] || { ${start}; }\n`;
  const launcher = readFileSync(join(folder, 'bin/boxgate'), 'utf8');
  writeFileSync(join(folder, 'bin/boxgate'), launcher.replace('\n', words), { mode: 0o755 });
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, file) => sum + readFileSync(join(file.parentPath, file.name)).length, 0);
}
