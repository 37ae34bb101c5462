export const maxRasterBytes = 256 * 1024;

/** A browser needs four bytes of memory for a pixel, however small the file is. */
const mostPixels = 2048 * 2048;

/** The shortest part of a file that has the size of its picture, of the formats that have it at a fixed place. */
const leastBytes = 30;

type Size = [width: number, height: number];

/** The content type of an icon by its bytes; `null` for any other file, and for too many bytes or pixels. */
export function rasterType(bytes: Uint8Array): string | null {
  if (bytes.length < leastBytes || bytes.length > maxRasterBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [type, size] = typeAndSize(view);
  const pixels = size[0] * size[1];
  return pixels > 0 && pixels <= mostPixels ? type : null;
}

function typeAndSize(view: DataView): [string, Size] {
  if (textAt(view, 0, 8) === '\x89PNG\r\n\x1a\n') return ['image/png', [view.getUint32(16), view.getUint32(20)]];
  if (/^GIF8[79]a$/.test(textAt(view, 0, 6))) return ['image/gif', [view.getUint16(6, true), view.getUint16(8, true)]];
  if (textAt(view, 0, 4) === 'RIFF' && textAt(view, 8, 4) === 'WEBP') return ['image/webp', sizeOfWebp(view)];
  if (textAt(view, 0, 3) === '\xff\xd8\xff') return ['image/jpeg', sizeOfJpeg(view)];
  return ['', [0, 0]];
}

function sizeOfWebp(view: DataView): Size {
  const form = textAt(view, 12, 4);
  if (form === 'VP8 ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (form === 'VP8L') {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
  }
  // The size of a picture with more parts takes three bytes each.
  const lessOne = (at: number) => view.getUint32(at, true) & 0xffffff;
  return form === 'VP8X' ? [lessOne(24) + 1, (view.getUint32(26, true) >>> 8) + 1] : [0, 0];
}

/** The size is in the first segment that starts a frame. */
function sizeOfJpeg(view: DataView): Size {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    // These three of the same range are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return [0, 0];
}

function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));
}
