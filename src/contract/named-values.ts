// Short secrets, such as a security code or a PIN, occur in any text by chance. They count where their name stands before them.

/** The longest value that is found by its name. Longer ones are found anywhere. */
export const NAMED_CHARACTERS = 5;

const NAME = String.raw`[A-Za-z_$\u00c0-\ufffd][\w$\u00c0-\ufffd-]{0,99}`;
/** Where a name can begin; a percent-encoded character may precede it. */
const BEGIN = String.raw`(?:(?<![\w$\u00c0-\ufffd])|(?<=%[\dA-Fa-f]{2}))`;
const QUOTE = String.raw`(?:\\*["'\u0060]|&quot;|%22)`;
const CLOSE = String.raw`(?:\]|%5[Dd])*${QUOTE}`;

/** What stands before a value: its name, the first group, and what connects them. */
const LABELS = [
  // card[cvc]=  "cvc": "  CVC:  'cvc' => '
  String.raw`${BEGIN}(${NAME})${CLOSE}?\s{0,20}(?:=>|[:=]|%3[AaDd])\s{0,20}(?:[\[(]\s{0,20})?${QUOTE}?`,
  // "name":"cvc","value":"  name="cvc" value="
  String.raw`${BEGIN}(${NAME})${CLOSE}[\s,]{1,20}${QUOTE}?value${QUOTE}?\s{0,20}[:=]\s{0,20}${QUOTE}?`,
  // ["cvc", "
  String.raw`${BEGIN}(${NAME})${QUOTE}\s{0,20},\s{0,20}${QUOTE}?`,
  // <card:cvc id="1"><![CDATA[
  String.raw`(?:<|&lt;)(?:[\w.-]{1,50}:)?(${NAME})(?:\s[^<>]{0,200})?(?:>|&gt;)\s{0,50}(?:<!\[CDATA\[)?`,
  // name="cvc", other headers and an empty line, as in a form of several parts
  String.raw`\bname=${QUOTE}?([^"'\\;\r\n]{1,100})${QUOTE}?[^"'<>]{0,200}?(?:\r?\n\r?\n|(?:\\r)?\\n(?:\\r)?\\n| {2,4})`,
].map((pattern) => new RegExp(`${pattern}$`));
const LABEL_CHARACTERS = 400;
/** What a label can end in. Few values have it before them. */
const LABEL_END = /(?:["'`=:>[(;,]|%[\dA-Fa-f]{2}|\\n|\n|\s\s)\s*$/;
const LABEL_END_CHARACTERS = 24;

/** What several names stand for: `cvv2` and `security_code` are a `cvc`. */
const SYNONYMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'cvc',
    /(?:cvc|cvv|cvn|csc)2?$|(?:securitycode|cardcode|verification(?:code|value|number)|cardverification)$/,
  ],
  ['pin', /(?:^|card|debit)pin(?:code|number|block)?$/],
];
const COMPARED_WORDS = 4;

/** Splits a name into words: `cardCvc`, `card_cvc` and `X-Card-CVC` end in `cvc`. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d\u00c0-\ufffd]+/)
    .filter((word) => word !== '')
    .slice(-COMPARED_WORDS);

function synonymOf(words: readonly string[]): string | undefined {
  const endings = words.map((_, index) => words.slice(index).join(''));
  return SYNONYMS.find(([, pattern]) => endings.some((ending) => pattern.test(ending)))?.[0];
}

function keyOf(name: string): string {
  const words = wordsOf(name);
  return synonymOf(words) ?? words.join('');
}

function keysOf(label: string): string[] {
  const words = wordsOf(label);
  const synonym = synonymOf(words);
  return [
    ...(synonym === undefined ? [] : [synonym]),
    ...words.map((_, index) => words.slice(index).join('')),
  ];
}

interface NamedMatch<Item> {
  start: number;
  end: number;
  item: Item;
}

/** Finds short values behind their names, in any notation, whatever the case: `card[cvc]=837`, `X-Card-CVC: 837`. */
export class NamedValues<Item> {
  readonly #items = new Map<string, Map<string, Item>>();
  /** The first characters of values; most positions of a text have another one. */
  readonly #first = new Uint8Array(0x10000);

  add(name: string, value: string, item: Item): void {
    if (value === '' || value.length > NAMED_CHARACTERS) return;
    const items = this.#items.get(value) ?? new Map<string, Item>();
    this.#items.set(value, items);
    this.#first[value.charCodeAt(0)] = 1;
    const key = keyOf(name);
    if (!items.has(key)) items.set(key, item);
  }

  remove(name: string, value: string): void {
    const items = this.#items.get(value);
    items?.delete(keyOf(name));
    if (items?.size === 0) this.#items.delete(value);
  }

  has(value: string): boolean {
    return this.#items.has(value);
  }

  get(label: string, value: string): Item | undefined {
    const items = this.#items.get(value);
    if (!items) return undefined;
    for (const key of keysOf(label)) if (items.has(key)) return items.get(key);
    return undefined;
  }

  find(text: string): NamedMatch<Item>[] {
    const found: NamedMatch<Item>[] = [];
    for (let start = 0; start < text.length; start++) {
      if (this.#first[text.charCodeAt(start)] === 0 || !beginsAt(text, start)) continue;
      const match = this.#matchAt(text, start);
      if (!match) continue;
      found.push(match);
      start = match.end - 1;
    }
    return found;
  }

  #matchAt(text: string, start: number): NamedMatch<Item> | undefined {
    let labels: string[] | undefined;
    for (let length = NAMED_CHARACTERS; length > 0; length--) {
      const end = start + length;
      const value = text.slice(start, end);
      if (value.length < length || !this.#items.has(value) || continuesAt(text, end)) continue;
      labels ??= labelsBefore(text, start);
      for (const label of labels) {
        const item = this.get(label, value);
        if (item !== undefined) return { start, end, item };
      }
    }
    return undefined;
  }
}

/** Lists the names that can be those of what begins at a position. */
function labelsBefore(text: string, start: number): string[] {
  if (!LABEL_END.test(text.slice(Math.max(0, start - LABEL_END_CHARACTERS), start))) return [];
  const before = text.slice(Math.max(0, start - LABEL_CHARACTERS), start);
  return LABELS.flatMap((pattern) => {
    const match = pattern.exec(before);
    if (!match) return [];
    // Words before it may belong to it: `Security code: 837`.
    const words = /[\w -]{0,40} $/.exec(before.slice(0, match.index))?.[0] ?? '';
    return [`${words}${match[1]}`];
  });
}

/** Whether a value can begin at a position: not inside of a word, except behind an escape. */
const beginsAt = (text: string, at: number): boolean =>
  !isWordCode(text.charCodeAt(at - 1)) || text[at - 3] === '%' || text[at - 2] === '\\';

const continuesAt = (text: string, at: number): boolean =>
  isWordCode(text.charCodeAt(at)) || (text[at] === '.' && /\d/.test(text.charAt(at + 1)));

/** Whether a character is a letter, a digit or an underscore. A regular expression takes longer. */
const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  (code >= 0xc0 && code < 0xfffe);

const SAYS_NOTHING = new Set(
  [
    'undefined null true false none nil nan unknown empty default test example sample dummy string number object',
    'ok yes no on off active inactive enabled disabled pending processing completed complete created updated deleted',
    'succeeded success successful failed failure error approved declined authorized captured refunded canceled cancelled',
    'valid invalid verified unverified accepted rejected redacted masked hidden',
    'production staging sandbox development',
  ]
    .join(' ')
    .split(' '),
);

/** Whether a value tells nothing about anybody, such as `undefined`, `------`, `000000` or `succeeded`. */
export function saysNothing(value: string): boolean {
  return SAYS_NOTHING.has(value.trim().toLowerCase()) || /^\s*(?:0+|[xX]+|[^\p{L}\p{N}]+)\s*$/u.test(value);
}
