type Escape = (text: string) => string;

const escapeText = (value: unknown): string =>
  encodeURIComponent(typeof value === 'object' && value !== null ? String(value) : `${value as string}`);

const unescapeBytes = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBytes(text).toString();
  }
}

const stringifyScalar = (value: unknown): string => {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : '';
};

function stringify(
  values: unknown,
  givenSeparator?: string | null,
  givenEquals?: string | null,
  options: { encodeURIComponent?: Escape } = {},
): string {
  const separator = givenSeparator || '&';
  const equals = givenEquals || '=';
  if (typeof values !== 'object' || values === null) return '';
  const encode = options.encodeURIComponent ?? querystringModule.escape;
  const pair = (key: string) => (value: unknown) =>
    `${encode(key)}${equals}${encode(stringifyScalar(value))}`;
  return Object.entries(values)
    .flatMap(([key, value]) => [value].flat().map(pair(key)))
    .join(separator);
}

interface ParseOptions {
  /** 1,000 by default; 0 for no limit. */
  maxKeys?: number;
  decodeURIComponent?: (text: string) => string;
}

function parse(
  text: unknown,
  separator?: string | null,
  equals?: string | null,
  { maxKeys = 1_000, decodeURIComponent: decode = querystringModule.unescape }: ParseOptions = {},
): object {
  const values = Object.create(null) as Record<string, string | string[]>;
  const given = typeof text === 'string' ? text.split(separator || '&').filter((pair) => pair !== '') : [];
  for (const pair of maxKeys > 0 ? given.slice(0, maxKeys) : given) {
    const at = pair.indexOf(equals || '=');
    const key = decodePart(at < 0 ? pair : pair.slice(0, at), decode);
    const value = at < 0 ? '' : decodePart(pair.slice(at + (equals || '=').length), decode);
    const known = values[key];
    values[key] = known === undefined ? value : [known, value].flat();
  }
  return values;
}

/** Decodes as usual what the decoder of the reactor cannot decode. */
function decodePart(part: string, decode: (text: string) => string): string {
  if (part === '') return '';
  try {
    return decode(part.replaceAll('+', '%20'));
  } catch {
    return unescapeText(part.replaceAll('+', ' '));
  }
}

const querystringModule = {
  parse,
  decode: parse,
  stringify,
  encode: stringify,
  escape: escapeText,
  unescape: unescapeText,
  unescapeBuffer: unescapeBytes,
};

export default querystringModule;
