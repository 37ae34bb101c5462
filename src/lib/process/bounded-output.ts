/**
 * Collects a program's output in bounded memory: all of it up to the limit. If the output is longer, keeps the first and
 * the last half, with a line between them that gives the number of missing bytes.
 */
export function boundedOutput(limitBytes: number): { add(chunk: Buffer): void; text(): string; isCut(): boolean } {
  const half = Math.floor(limitBytes / 2);
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let headLength = 0;
  let tailLength = 0;
  let leftOut = 0;

  const trimTail = () => {
    const whole = Buffer.concat(tail);
    tail = [whole.subarray(-half)];
    leftOut += whole.length - half;
    tailLength = half;
  };

  return {
    add(chunk) {
      const forHead = chunk.subarray(0, half - headLength);
      const forTail = chunk.subarray(forHead.length);
      if (forHead.length > 0) head.push(forHead);
      headLength += forHead.length;
      if (forTail.length > 0) tail.push(forTail);
      tailLength += forTail.length;
      // Cutting only at twice the size avoids copying the output for each chunk.
      if (tailLength > 2 * half) trimTail();
    },
    isCut: () => headLength + tailLength + leftOut > 2 * half,
    text() {
      if (tailLength > half) trimTail();
      const mark = leftOut === 0 ? [] : [Buffer.from(`\n… ${leftOut} bytes left out …\n`)];
      return Buffer.concat([...head, ...mark, ...tail]).toString('utf8');
    },
  };
}
