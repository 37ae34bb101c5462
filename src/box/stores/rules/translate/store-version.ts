const wholeNumber = /^v?\d+(?:[._-]\d+)*$/i;
const startingNumber = /^v?\d+(?:[._-]\d+)*/i;

/**
 * The version of a translated app: `3.0.5` becomes `3.0.5-r134.1`. The store and the translator raise their `counters`
 * with each change, so a mended translation arrives as an update although the app's own version stays the same.
 *
 * `isNewerVersion` compares only numbers and one word. If a version has more, its leading numbers count, and the whole
 * text follows a `+`, which comparisons ignore: `33-apache` becomes `33-r35.1+33-apache`.
 */
export function storeVersion(version: string, counters: readonly number[]): string {
  const text = version.trim().slice(0, 60);
  const revision = `r${counters.join('.')}`;
  if (wholeNumber.test(text)) return `${text}-${revision}`;
  const [numbers] = startingNumber.exec(text) ?? ['0'];
  const whole = text
    .split(/[^\w.-]+/)
    .filter((part) => part !== '')
    .join('-');
  return whole === '' ? `${numbers}-${revision}` : `${numbers}-${revision}+${whole}`;
}
