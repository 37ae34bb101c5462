import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'conformance/examples';
const generator = 'conformance/implementations/make_examples.py';

/** Makes the example implementations, which are those of the strength tests without their faults. Needs Python 3.11. */
export function makeExamples(root: string): void {
  mkdirSync(join(root, folder), { recursive: true });
  const { status, stderr } = spawnSync('python3', ['-B', generator, folder], { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  const reason = stderr?.trim().split('\n').at(-1) ?? 'there is no python3';
  console.error(`${folder} is not made, which needs Python 3.11 or newer: ${reason}`);
}

/** The files of the examples, as paths from the root of the checkout. */
export function exampleFiles(root: string): string[] {
  const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  return names.filter((name) => /\.(py|html)$/.test(name)).map((name) => `${folder}/${name}`);
}
