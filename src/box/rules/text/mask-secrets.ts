/** Masking shorter secrets would hide ordinary words. */
const shortestMasked = 3;
/** Masking shorter secrets of one app would hide words in the texts of the others. */
const shortestElsewhere = 4;
/** No app needs more. The limits are for a file that is made to keep the box busy. */
const mostParts = 500;
const mostCharacters = 256 * 1024;
const mostComparisons = 2 ** 30;

/** Replace a text that may hold secrets. */
export const unshownText = 'its words are not shown, because the secrets of the apps are too many to look for in them';
export const unshownOwnText =
  "its words are not shown, because the app's .env has more secrets than the box looks for: 500 lines in 128 KiB";

export type Masked = {
  own: readonly string[];
  /** In all other texts: without secrets that other texts contain by chance. */
  elsewhere: readonly string[];
  /** There are more secrets than can be looked for, so that no text about the app can be shown. */
  isCut: boolean;
};

/** Each secret and each of its lines, in all spellings. Lines are those that `toolLines` makes before masking. */
export function maskedTexts(secrets: Iterable<string>): Masked {
  const { parts, isCut } = partsOf(secrets);
  const own = parts.map((part) => ({ part, forms: spellings(part).filter(({ length }) => length >= shortestMasked) }));
  const elsewhere = own.filter(({ part }) => part.length >= shortestElsewhere && !isCommonText(part));
  return { own: formsIn(own), elsewhere: formsIn(elsewhere), isCut };
}

function formsIn(all: readonly { forms: readonly string[] }[]): string[] {
  return [...new Set(all.flatMap(({ forms }) => forms))];
}

function partsOf(secrets: Iterable<string>): { parts: string[]; isCut: boolean } {
  const parts = new Set<string>();
  let left = mostCharacters;
  for (const secret of secrets) {
    const lines = secret.length > left ? [] : secret.split(/[\r\n]/).map((line) => line.trim());
    for (const part of [secret, ...lines]) {
      if (parts.has(part) || part === '') continue;
      left -= part.length;
      if (left < 0 || parts.size === mostParts) return { parts: [...parts], isCut: true };
      parts.add(part);
    }
  }
  return { parts: [...parts], isCut: false };
}

/** A text from outside with every secret in it masked, because Compose quotes what it cannot read. should/box/17 */
export function maskSecrets(text: string, masked: readonly string[]): string {
  if (masked.length * text.length > mostComparisons) return unshownText;
  const found = masked.filter((form) => text.includes(form)).sort((a, b) => b.length - a.length);
  return found.reduce((shown, form) => shown.replaceAll(form, '•••'), text);
}

/** Words of the container tool's messages, and the most frequent words of English. */
const words = new Set(
  `a about above access active actual add address admin after again all allocate allocated already also an and another
  any api app apps archive are argument as at attach attached auth authentication available back bad base be because
  been before being below bind block boot both bridge broken build building built but by cache call can cannot cause
  change changed channel check child client close closed code command compose config configuration configure conflict
  connect connected connection container containers content context copy could cpu create created creating daemon data
  database date day db debug default delete deleted denied depend dependency depends device did digest dir directory disk
  do docker does domain done down download downloading driver duplicate each empty enabled end ended endpoint engine
  entry env environment error errors event exceeded exec executable exist existing exists exit exited expected failed
  failure fault field file files find first flag folder for forbidden format found free from full gateway get go good
  group guest had has have he health healthy hello help her here his home host hour how http https i id if image images
  in info initialize input inside install instead internal interrupted into invalid ip is it its job json just key kill
  killed kind know label last latest layer left like limit line link list listen listening load local localhost locked
  log login logs long lost made mail main make manifest many map match max may me memory message min minute missing mode
  more most mount mounted mounting mounts much must my name names need network networks never new next no node none not
  nothing now null number of off on one only open opened operation option or order os other our out output over overlay
  owner pack page parent parse part pass password path pause paused permission permitted pid pipe place platform please
  point policy pool port ports prefix present process profile program project protocol provided public pull pulled
  pulling push range ready read real reason recreate refused registry remote remove removed repeat repository request
  required resource response restart restarted restarting result root rule run running same save scale second secret
  secrets section see send server service services set setting settings shared she shell should show signal size socket
  some space start started starting state status stop stopped stopping storage such support supported sync syntax system
  tag task tcp temporary test text than that the their them then there these they this time timeout to token too tool
  true false try type udp unable under unexpected unhealthy unit unknown unmarshal unsupported until up update upgrade
  url us use used user using valid value variable version volume volumes wait waiting warning was way we web well were
  what when where which while who will with without work worker would write writing wrong yaml yes you your zero`.split(
    /\s+/,
  ),
);

/** Whether other texts contain this one by chance: it has only common words, or is a number that a port can have. */
export function isCommonText(text: string): boolean {
  const plain = text.toLowerCase();
  if (/^\d{1,5}$/.test(plain)) return true;
  return /^[a-z _.:/-]+$/.test(plain) && plain.split(/[^a-z]+/).every((word) => word === '' || words.has(word));
}

/** Shorter codes of a secret could be part of any digest or id. */
const shortestCode = 6;

/** A secret as programs quote it: `deploy/SECURITY.md` lists these spellings and codes. */
export function spellings(secret: string): string[] {
  const codes = codesOf(Buffer.from(secret)).filter(({ length }) => length >= shortestCode);
  return [...new Set([secret, secret.toLowerCase(), secret.toUpperCase(), ...escapedForms(secret), ...codes])];
}

function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret.toWellFormed());
  const strictUrl = url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return [
    json,
    json.replaceAll('\\"', '"'),
    json.replaceAll('/', '\\/'),
    json.replace(/[<>&]/g, escapedUnit),
    json.replace(/[^\0-~]/g, escapedUnit),
    secret.replace(/[\\"$]/g, '\\$&'),
    secret.replaceAll('$', '$$$$'),
    secret.replaceAll("'", "'\\''"),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll("'", "''"),
    ...htmlForms(secret),
    ...[url, strictUrl].flatMap((one) => [
      one,
      one.replaceAll('%20', '+'),
      one.replace(/%../g, (code) => code.toLowerCase()),
    ]),
  ];
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function htmlForms(secret: string): string[] {
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
  ];
}

function codesOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const base64 = [
    bytes.toString('base64').replaceAll('=', ''),
    ...[0, 1, 2].map((offset) => innerBase64(bytes, offset)),
  ];
  const forUrls = base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'));
  return [hex, hex.toUpperCase(), ...base64, ...forUrls];
}

/** The base64 characters that come from these bytes alone, `offset` bytes after a multiple of three. */
function innerBase64(bytes: Buffer, offset: number): string {
  const code = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const isWhole = (offset + bytes.length) % 3 === 0;
  return code.slice(offset === 0 ? 0 : offset + 1, isWhole ? undefined : -1);
}
