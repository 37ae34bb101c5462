import { UnusableFile } from './shape-of-file.ts';

/**
 * Evaluates the template of a file, including its comments. The fake supports comments, string literals and `env
 * "NAME"`.
 */
export function runTemplate(text: string, environment: Record<string, string | undefined>): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('{{', at);
    if (start === -1) return result + text.slice(at);
    const end = text.indexOf('}}', start + 2);
    const inside = text.slice(start + 2, end === -1 ? text.length : end);
    const action = inside.replace(/^- | -$/g, '').trim();
    const value = end === -1 ? null : textOf(action, environment);
    if (value === null) throw new UnusableFile(`template: ${whatIsWrong(action)}`);
    result += text.slice(at, start) + value;
    at = end + 2;
  }
}

/** `null` for an unsupported action. */
function textOf(action: string, environment: Record<string, string | undefined>): string | null {
  if (/^\/\*[\s\S]*\*\/$/.test(action)) return '';
  const literal = /^(env\s+)?"([^"\\]*)"$/.exec(action);
  if (literal === null) return null;
  const [, env, value = ''] = literal;
  return env === undefined ? value : (environment[value] ?? '');
}

function whatIsWrong(action: string): string {
  const word = /^[A-Za-z_]\w*/.exec(action)?.[0];
  return word === undefined ? `unexpected action: ${action}` : `function "${word}" not defined`;
}
