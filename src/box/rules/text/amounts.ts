export function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  const amount = bytes / (size as number);
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`;
}

/** `2026-11-26 05:20 UTC` */
export function momentText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const prefixes = ['', 'K', 'M', 'G', 'T', 'P'];

/** The bytes of a size as Docker prints it, such as `1.984MB` or `12.3MiB / 7.6GiB`; `null` for any other text. */
export function bytesOfText(text: string): number | null {
  const found = /^(\d{1,15}(?:\.\d{1,9})?) ?([kKMGTP]?)(i?)B\b/.exec(text);
  if (found === null) return null;
  const [, number, prefix = '', binary] = found;
  return Math.round(Number(number) * (binary === 'i' ? 1024 : 1000) ** prefixes.indexOf(prefix.toUpperCase()));
}

/** `1 app`, `2 apps` */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
