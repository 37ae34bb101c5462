export function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  const amount = bytes / (size as number);
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`;
}

/** `2026-11-26 05:20 UTC` */
export function momentText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
