import { setTimeout as pause } from 'node:timers/promises';

/** Polls a condition, for a minute by default. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await pause(20);
  }
}

/** Polls a page until it responds: a container runs before its program listens. */
export async function pageAt(address: string | URL): Promise<string> {
  let text = '';
  const isThere = async () => {
    text = await (await fetch(address)).text();
    return true;
  };
  await until(`${address} answers`, () => isThere().catch(() => false));
  return text;
}
