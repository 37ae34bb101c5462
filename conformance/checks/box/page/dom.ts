import type { Locator, Page } from 'playwright-core';

/**
 * Functions that run in the page. The suite is compiled without the types of the DOM, so these are the parts that it
 * uses.
 */
type DomElement = {
  textContent: string;
  outerHTML: string;
  parentElement: DomElement | null;
  querySelectorAll: (selector: string) => Iterable<DomElement>;
  contains: (other: DomElement) => boolean;
  compareDocumentPosition: (other: DomElement) => number;
  checkVisibility: () => boolean;
  getAttribute: (name: string) => string | null;
};
declare const document: DomElement & { body: { innerText: string } };
declare const getComputedStyle: (element: DomElement, part?: string) => Record<string, string>;

/** The title of the list that an app is in: the latest one before the app, or the label of an element around it. */
export const listOf = (card: Locator): Promise<string | undefined> =>
  card.evaluate((element: DomElement) => {
    const form = /^\W*(installed|available)\b.{0,30}$/i;
    const titleIn = (text: string | null) => form.exec((text ?? '').replaceAll(/\s+/g, ' ').trim())?.[1]?.toLowerCase();
    const isBefore = (other: DomElement) =>
      (other.compareDocumentPosition(element) & 4) !== 0 && other.checkVisibility();
    const before = [...document.querySelectorAll('body *')].filter(
      (other) => !other.contains(element) && isBefore(other),
    );
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const label = titleIn(around.getAttribute('aria-label'));
      if (label !== undefined) return label;
    }
    return before.flatMap((other) => titleIn(other.textContent) ?? []).at(-1);
  });

/** The type that the browser gives to a field. */
export const typeOf = (field: Locator): Promise<string> => field.evaluate(({ type }: { type: string }) => type);

/** Whether an element has a picture: an image, a pictograph, or one that its style paints. */
export const hasPicture = (card: Locator): Promise<boolean> =>
  card.evaluate((element: DomElement) => {
    const inside = [element, ...element.querySelectorAll('*')].filter((one) => one.checkVisibility());
    const isPainted = (one: DomElement) =>
      ['', '::before', '::after'].some((part) => {
        const { backgroundImage = 'none', maskImage = 'none', content = 'none' } = getComputedStyle(one, part);
        return (
          backgroundImage.includes('url(') ||
          maskImage.includes('url(') ||
          /\p{Extended_Pictographic}|url\(/u.test(content)
        );
      });
    const images = [...element.querySelectorAll('svg, img, picture, canvas, [role=img]')];
    return (
      images.some((one) => one.checkVisibility()) ||
      /\p{Extended_Pictographic}/u.test(element.textContent) ||
      inside.some(isPainted)
    );
  });

/**
 * How a field looks beside its label and its help: the other text of its row, what its style adds, and the look of its
 * label.
 */
export const lookOf = (field: Locator, known: readonly string[]): Promise<string> =>
  field.evaluate((input: DomElement, texts: readonly string[]) => {
    const [label = ''] = texts;
    let row: DomElement | null = input;
    while (row !== null && !row.textContent.includes(label)) row = row.parentElement;
    if (row === null) return '';
    const other = texts.reduce((text, part) => text.replaceAll(part, ' '), row.textContent);
    const named = [...row.querySelectorAll('*')].filter((one) => one.textContent.includes(label));
    const styles = [row, ...row.querySelectorAll('*')].map((one) => {
      const added = ['::before', '::after'].map((part) => getComputedStyle(one, part).content ?? '');
      return added.filter((text) => text !== 'none' && text !== 'normal').join('');
    });
    const { color, fontWeight } = getComputedStyle(named.at(-1) ?? row);
    const { borderColor, outlineStyle, backgroundColor } = getComputedStyle(input);
    const look = [
      other.replaceAll(/\s+/g, ' ').trim(),
      styles.join(''),
      color,
      fontWeight,
      borderColor,
      outlineStyle,
      backgroundColor,
    ];
    return look.join(' | ');
  }, known);

/** Whether the page shows a text, compared without white space. Folded text does not count. */
export const showsText = (page: Page, bare: string): Promise<boolean> =>
  page.evaluate((text) => {
    const holders = [...document.querySelectorAll('body *')].filter((one) =>
      one.textContent.replaceAll(/\s/g, '').includes(text),
    );
    return holders.length > 0 && document.body.innerText.replaceAll(/\s/g, '').includes(text);
  }, bare);

/** The text around a toggle and what it folds, without that content. */
export const textBeside = (toggle: Locator, bare: string): Promise<string> =>
  toggle.evaluate((element: DomElement, content: string) => {
    const bareText = (one: DomElement) => one.textContent.replaceAll(/\s/g, '');
    let panel: DomElement | null = element;
    while (panel !== null && !bareText(panel).includes(content)) panel = panel.parentElement;
    return panel === null ? '' : bareText(panel).replaceAll(content, '');
  }, bare);

/** Whether a button belongs to one app: the smallest element around it with the title of an app has no other title. */
export const isInside = (button: Locator, titles: readonly string[]): Promise<boolean> =>
  button.evaluate((element: DomElement, names: readonly string[]) => {
    for (let around: DomElement | null = element; around !== null; around = around.parentElement) {
      const { textContent } = around;
      const found = names.filter((name) => textContent.includes(name)).length;
      if (found > 0) return found === 1;
    }
    return false;
  }, titles);

/** The smallest visible elements with a text that matches, each with what is around it. */
export const tellersOf = (page: Page, pattern: string): Promise<string[]> =>
  page.evaluate((source) => {
    const form = new RegExp(source, 'i');
    const matching = [...document.querySelectorAll('body *')].filter(
      (one) => form.test(one.textContent) && one.checkVisibility(),
    );
    const smallest = matching.filter((one) => !matching.some((other) => other !== one && one.contains(other)));
    return smallest.map((one) => one.parentElement?.outerHTML ?? '');
  }, pattern);

type Bitmap = { width: number; height: number };
declare const Image: new () => Bitmap & { src: string; decode: () => Promise<void> };
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext: (kind: '2d') => {
    imageSmoothingEnabled: boolean;
    drawImage: (image: Bitmap, x: number, y: number, width: number, height: number) => void;
    getImageData: (x: number, y: number, width: number, height: number) => { data: Uint8ClampedArray };
  };
};

export type Colour = readonly [red: number, green: number, blue: number];

/** The colours of every second pixel, both ways. A second page of the browser decodes the picture. */
export async function coloursOf(page: Page, shown: Page | Locator): Promise<Colour[]> {
  const png = (await shown.screenshot()).toString('base64');
  const decoder = await page.context().newPage();
  const text = await decoder.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const [width, height] = [Math.ceil(image.width / 2), Math.ceil(image.height / 2)];
    const canvas = new OffscreenCanvas(width, height).getContext('2d');
    canvas.imageSmoothingEnabled = false;
    canvas.drawImage(image, 0, 0, width, height);
    const { data: bytes } = canvas.getImageData(0, 0, width, height);
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }, png);
  await decoder.close();
  const bytes = Buffer.from(text, 'latin1');
  const part = (pixel: number, index: number) => bytes[pixel * 4 + index] ?? 0;
  return Array.from({ length: bytes.length / 4 }, (_, pixel) => [part(pixel, 0), part(pixel, 1), part(pixel, 2)]);
}
