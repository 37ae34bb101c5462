/**
 * A static executable that does nothing until it is killed. Containers of checks need no other program, so nothing
 * has to be built or downloaded.
 */
export type Architecture = 'amd64' | 'arm64';

/** The ELF machine number, and the code of an endless loop that waits for signals. */
const machines: Record<Architecture, { machine: number; code: string }> = {
  // mov eax, 34 (pause); syscall; jmp back
  amd64: { machine: 62, code: 'b822000000 0f05 ebf7' },
  // x0 to x4 = 0, x8 = 73 (ppoll); svc 0; b back: little-endian words
  arm64: {
    machine: 183,
    code: '000080d2 010080d2 020080d2 030080d2 040080d2 280980d2 010000d4 f9ffff17',
  },
};

const headerSize = 64;
const segmentSize = 56;
const address = 0x400000n;

export function isArchitecture(name: string): name is Architecture {
  return Object.hasOwn(machines, name);
}

/** An ELF file with one segment that contains the whole file. */
export function idleProgram(architecture: Architecture): Buffer {
  const { machine, code } = machines[architecture];
  const instructions = Buffer.from(code.replaceAll(' ', ''), 'hex');
  const start = headerSize + segmentSize;
  const file = Buffer.alloc(start + instructions.length);
  // 64 bits, little-endian, version 1.
  file.write('\x7fELF\x02\x01\x01', 'latin1');
  file.writeUInt16LE(2, 16); // executable
  file.writeUInt16LE(machine, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(address + BigInt(start), 24); // entry point
  file.writeBigUInt64LE(BigInt(headerSize), 32); // offset of the program headers
  file.writeUInt16LE(headerSize, 52);
  file.writeUInt16LE(segmentSize, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, headerSize); // loadable segment,
  file.writeUInt32LE(5, headerSize + 4); // read and executed
  file.writeBigUInt64LE(address, headerSize + 16);
  file.writeBigUInt64LE(address, headerSize + 24);
  file.writeBigUInt64LE(BigInt(file.length), headerSize + 32);
  file.writeBigUInt64LE(BigInt(file.length), headerSize + 40);
  file.writeBigUInt64LE(0x1000n, headerSize + 48);
  instructions.copy(file, start);
  return file;
}
