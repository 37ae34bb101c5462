import { createHash, createPrivateKey, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const types = { file: '0', 'hard link': '1', link: '2', device: '3', folder: '5', pipe: '6' };

export type Entry = {
  name: string;
  type?: keyof typeof types;
  content?: string | Buffer;
  mode?: number;
  /** Where a link leads to. */
  target?: string;
};

/** A tar archive, also of entries that no tar program writes. */
export function tar(entries: Entry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    return [header(entry, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header(entry: Entry, size: number): Buffer {
  const type = entry.type ?? 'file';
  const block = Buffer.alloc(512);
  const octal = (value: number, offset: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset);
  block.write(entry.name, 0, 100);
  octal(entry.mode ?? (type === 'folder' ? 0o755 : 0o644), 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write('        ', 148);
  block.write(types[type], 156);
  block.write(entry.target ?? '', 157, 100);
  block.write('ustar\x0000', 257);
  // Device numbers of /dev/zero.
  if (type === 'device')
    for (const [number, offset] of [
      [1, 329],
      [5, 337],
    ] as const)
      octal(number, offset, 8);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

export type Statement = Record<string, unknown>;
export type FeedEntry = Record<string, unknown>;

/** A release of one platform as a feed announces it, and its archive. */
export type Release = { version: string; feed: Record<string, unknown>; archive: Buffer };

export const day = 24 * 60 * 60 * 1000;
export const platform = `linux-${process.arch}`;

/** Faults of an otherwise valid release. */
export type Twist = {
  entries?: (entries: Entry[], top: string) => Entry[];
  /** Changes the statement before it is signed. */
  statement?: Statement;
  /** Changes the entry of the feed after the signing; a field that is `undefined` is left out. */
  entry?: (entry: FeedEntry) => FeedEntry;
  /** The archive instead of the packed entries. */
  packed?: Buffer;
  /** The private key for the signature, as PEM text, instead of the valid key. */
  key?: string;
};

/**
 * Signs an archive of a few small files as a release. The statement is valid from a week ago for about half a year.
 */
export function makeRelease(version: string, key: string, files: Entry[], twist: Twist = {}): Release {
  const top = `boxgate-${version}-${platform}`;
  const manifest = JSON.stringify({ name: 'boxgate', version });
  const known: Entry[] = [
    { name: `${top}/`, type: 'folder' },
    { name: `${top}/package.json`, content: manifest },
    ...files.map((entry) => ({ ...entry, name: `${top}/${entry.name}` })),
  ];
  const entries = twist.entries?.(known, top) ?? known;
  const archive = twist.packed ?? gzipSync(tar(entries), { level: 0 });
  const sizes = entries.map(({ content }) => Buffer.from(content ?? '').length);
  const facts = { sha256: createHash('sha256').update(archive).digest('hex'), size: archive.length };
  const statement = JSON.stringify({
    type: 'release',
    product: 'boxgate',
    version,
    platform,
    ...facts,
    unpacked_size: sizes.reduce((sum, size) => sum + size, 0),
    issued: new Date(Date.now() - 7 * day).toISOString().replace(/\.\d+/, ''),
    expires: new Date(Date.now() + 180 * day).toISOString().replace(/\.\d+/, ''),
    changelog: `https://boxgate.example/changelog/${version}`,
    store_schema: 1,
    ...twist.statement,
  });
  const signature = sign(null, Buffer.from(statement), createPrivateKey(twist.key ?? key)).toString('base64');
  const entry = { url: `archive-${version}.tar.gz`, ...facts, signature, statement };
  const feed = { version, archives: { [platform]: twist.entry?.(entry) ?? entry } };
  return { version, feed, archive };
}
