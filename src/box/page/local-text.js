/** Texts as the language of the browser writes them. */

/**
 * A text with its times in the reader's time zone, and its times, sizes and seconds as the browser's language writes
 * them.
 * @param {string} text
 */
export function localText(text) {
  return text
    .replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day, time) =>
      new Date(`${day}T${time}Z`).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
    )
    .replaceAll(/(?<![\d.])\d+\.\d(?= (?:[GMk]B|s)\b)/g, (number) => localNumber(Number(number), 1));
}

/** @param {number} number @param {number} digits behind the decimal point */
export function localNumber(number, digits) {
  return number.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
