/** One entry of a ustar archive: a regular file or a folder. Two empty blocks must follow the last entry. */
export function tarEntry(name: string, content: Buffer, mode = 0o644, isFolder = false): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a ustar header (100 bytes)`);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${octal(mode, 7)}\0`, 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${octal(content.length, 11)}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(isFolder ? '5' : '0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  header.write('0000000\0', 329);
  header.write('0000000\0', 337);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  content.copy(body);
  return Buffer.concat([header, body]);
}
