import { UnusableFile } from './shape-of-file.ts';

/**
 * The text after its template was run. Every file is one, comments and all, so `{{` anywhere is an action. Known here
 * are comments, string literals and `env "NAME"`; the real one has a whole language.
 */
export function runTemplate(text: string, environment: Record<string, string | undefined>): string {
  return text.replace(/\{\{([\s\S]*?)(\}\}|$)/g, (_whole, inside: string, end: string) => {
    const action = inside.replace(/^- | -$/g, '').trim();
    if (end !== '' && /^\/\*[\s\S]*\*\/$/.test(action)) return '';
    const literal = /^(env\s+)?"([^"\\]*)"$/.exec(action);
    if (end !== '' && literal !== null) {
      const [, env, value = ''] = literal;
      return env === undefined ? value : (environment[value] ?? '');
    }
    throw new UnusableFile(`template: ${whatIsWrong(action)}`);
  });
}

function whatIsWrong(action: string): string {
  const word = /^[A-Za-z_]\w*/.exec(action)?.[0];
  return word === undefined ? `unexpected action: ${action}` : `function "${word}" not defined`;
}
