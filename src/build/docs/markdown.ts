import { Marked, type RendererObject } from 'marked';
import { escapeHtml, Markup } from '../../../conformance/report/markup.ts';

/** The address of a link of the text; `null` if the site does not have its target. */
export type AddressOf = (href: string) => string | null;

/** HTML of a Markdown text. Headings have the ids that GitHub gives them; HTML in the text is shown, not used. */
export function markdown(text: string, addressOf: AddressOf = () => null): Markup {
  const rendered = new Marked({ renderer: renderer(addressOf), async: false }).parse(text, { async: false });
  return new Markup(
    rendered
      .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll('<pre>', '<pre tabindex="0">'),
  );
}

const forSentences = new Marked({ renderer: renderer(() => null) });

/** HTML of a sentence of Markdown, without a paragraph around it. */
export function sentence(text: string): Markup {
  return new Markup(forSentences.parseInline(text, { async: false }));
}

function renderer(addressOf: AddressOf): RendererObject {
  const used = new Map<string, number>();
  return {
    heading({ tokens, depth, text }) {
      const id = slug(text, used);
      return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    html: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const [content, address] = [this.parser.parseInline(tokens), addressOf(href)];
      return address === null ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
    },
    image: ({ text }) => escapeHtml(text),
  };
}

/** The id that GitHub gives to a heading. `used` counts the headings of one text. */
export function slug(heading: string, used: Map<string, number>): string {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const count = used.get(base) ?? 0;
  used.set(base, count + 1);
  return count === 0 ? base : `${base}-${count}`;
}
