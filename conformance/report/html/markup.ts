/** Trusted HTML. Every other text is escaped when it is inserted. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | number | Markup | null | readonly Content[];

/** A template tag for HTML. Inserted values are escaped. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  const parts = values.map((value, index) => render(value) + (strings[index + 1] ?? ''));
  return new Markup((strings[0] ?? '') + parts.join(''));
}

function render(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return value === null ? '' : escapeHtml(String(value));
}

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for element content and quoted attributes. Control and bidirectional characters become U+FFFD. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => names[character] ?? '')
    .replace(/[^\P{Cc}\t\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
