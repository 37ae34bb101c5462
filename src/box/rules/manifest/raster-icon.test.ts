import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxRasterBytes, rasterType } from './raster-icon.ts';

/** Bytes given as hex digits, then zeros. */
const file = (hex: string, length = 64) => {
  const bytes = Buffer.alloc(length);
  bytes.write(hex.replaceAll(' ', ''), 'hex');
  return bytes;
};
const png = (size: string) => file(`89504e470d0a1a0a 0000000d 49484452 ${size}`);
const riff = (form: string, rest: string) => file(`52494646 00000000 57454250 ${form} 00000000 ${rest}`);
const frame = (marker: string, size = '0010 0020') => `ff${marker} 0011 08 ${size}`;
const jpeg = (rest: string) => file(`ffd8 ${rest}`);

const least = '00000001';
const files: [what: string, bytes: Uint8Array, type: string | null][] = [
  ['PNG', png(`${least}${least}`), 'image/png'],
  ['PNG of the most pixels', png('00000800 00000800'), 'image/png'],
  ['PNG of more pixels', png('00000800 00000801'), null],
  ['PNG of a size that is no 32-bit product', png('ffffffff ffffffff'), null],
  ['PNG without a size', png(''), null],
  ['GIF of 1989', file('474946383961 0100 0200'), 'image/gif'],
  ['GIF of 1987', file('474946383761 0100 0200'), 'image/gif'],
  ['GIF of another year', file('474946383861 0100 0200'), null],
  ['GIF that is too large', file('474946383961 ffff ffff'), null],
  ['WebP', riff('56503820', '000000 9d012a 1000 1000'), 'image/webp'],
  ['WebP that scales', riff('56503820', '000000 9d012a 1040 1040'), 'image/webp'],
  ['WebP that is too large', riff('56503820', '000000 9d012a ff3f ff3f'), null],
  ['WebP without loss', riff('5650384c', '2f 00000000'), 'image/webp'],
  ['WebP without loss that is too large', riff('5650384c', '2f ffffff0f'), null],
  ['WebP of several parts', riff('56503858', '00000000 ff0000 ff0000'), 'image/webp'],
  ['WebP of several parts that is too large', riff('56503858', '00000000 ffffff ffffff'), null],
  ['WebP of an unknown form', riff('414c5048', '00000000 ff0000 ff0000'), null],
  ['sound in the container of WebP', file('52494646 00000000 57415645'), null],
  ['JPEG', jpeg(frame('c0')), 'image/jpeg'],
  ['JPEG that loads bit by bit', jpeg(`ffe0 0004 0000 ffc4 0003 00 ${frame('c2')}`), 'image/jpeg'],
  ['JPEG that is too large', jpeg(frame('c0', 'ffff ffff')), null],
  ['JPEG without a height', jpeg(frame('c0', '0000 0020')), null],
  ['JPEG that ends before its size', jpeg('ffe0 00ff'), null],
  ['JPEG with something else between its segments', jpeg(`ffe0 0004 0000 00 ${frame('c0')}`), null],
  ['JPEG whose segments do not end', jpeg('ffe0 0000'), null],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), null],
  ['page', Buffer.from('<!doctype html><script>alert(1)</script><p>a page</p>'), null],
  ['nothing', Buffer.alloc(0), null],
  ['only the first bytes', png(`${least}${least}`).subarray(0, 29), null],
  ['most bytes', Buffer.concat([png(`${least}${least}`), Buffer.alloc(maxRasterBytes - 64)]), 'image/png'],
  ['more bytes', Buffer.concat([png(`${least}${least}`), Buffer.alloc(maxRasterBytes - 63)]), null],
];

for (const [what, bytes, type] of files) {
  test(`an icon's type by its bytes: ${what}`, () => {
    // The bytes may be a part of a larger buffer.
    const inside = Buffer.concat([Buffer.from('x'), bytes]).subarray(1);
    assert.equal(rasterType(inside), type);
  });
}
