import type { Manifest } from '../manifest/manifest.ts';

export type CoercedSettings = { ok: true; values: Map<string, string> } | { ok: false; problem: string };

const key = /^[A-Za-z_][A-Za-z0-9_]*$/;
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * The submitted settings as texts for `.env`, or the first problem, which names the key and never the value.
 * box/post-rules/1, choice/box/87, choice/box/88
 */
export function coerceSettings(settings: Readonly<Record<string, unknown>>, manifest: Manifest): CoercedSettings {
  const values = new Map<string, string>();
  const types = new Map(manifest.settings.map(({ name, type }) => [name, type]));
  for (const [name, value] of Object.entries(settings)) {
    const text = asText(value);
    const problem = keyProblem(name, types.has(name)) ?? valueProblem(text, types.get(name));
    if (text === null || problem !== null) return { ok: false, problem: `setting ${shown(name)}: ${problem}` };
    values.set(name, text);
  }
  return { ok: true, values };
}

function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

function keyProblem(name: string, declared: boolean): string | null {
  if (!key.test(name)) return 'expected a name of letters, digits and "_" that starts with no digit';
  if (!declared && name.startsWith('COMPOSE_')) return "Compose's own variables cannot be set";
  return null;
}

/** The value as text; `null` if it has none. */
function asText(value: unknown): string | null {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return null; // Values parsed from JSON can be written again unless they are nested deeper than the stack.
  }
}

function valueProblem(text: string | null, type: string | undefined): string | null {
  if (text === null) return 'the value is too large or nested too deeply';
  if (unwritable.test(text)) return 'the value has a control character that .env cannot hold';
  if (!text.isWellFormed()) return 'the value is not valid Unicode text';
  if (type === 'number' && text !== '' && !number.test(text)) return 'expected a number';
  return null;
}
