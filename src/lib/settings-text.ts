import { createHash } from 'node:crypto';

/**
 * Sets variables in a text of `NAME=value` lines, such as gateway.env. Other lines, comments included, stay. If several
 * lines set a variable, the last one counts and is changed. A new variable comes at the end.
 */
export function withVariables(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(values)) {
    const at = lines.findLastIndex((line) => line.startsWith(`${name}=`));
    lines.splice(at === -1 ? lines.length : at, at === -1 ? 0 : 1, `${name}=${value}`);
  }
  return `${lines.join('\n')}\n`;
}

const mark = /^# boxgate: ([0-9a-f]{64})\n/;

/** Puts the digest of a text above it, so that an edit is noticed later. */
export function withDigest(text: string): string {
  return `# boxgate: ${digestOf(text)}\n${text}`;
}

/** Whether somebody has changed a text of `withDigest`, or has written another one. */
export function isEdited(text: string): boolean {
  const [line, found] = mark.exec(text) ?? [];
  return line === undefined || digestOf(text.slice(line.length)) !== found;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
