export const formatNumber = (value: number): string => value.toLocaleString('en');

/** Formats a number of things: `1 token`, `2 tokens`. @param noun in the singular, with a plural in -s */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Repeats a value in a message, without what may be a secret in the wrong place: credentials and query of a URL, keys, card numbers. */
export const repeatable = (value: unknown): string =>
  String(value)
    .replace(/:\/\/[^/\s]*@/g, '://***@')
    .replace(/[?#].*$/s, '?***')
    .replace(/[\w-]{24,}|\d{9,}/g, '***');

/** Whether a value is a word, as names of kinds and permissions are, rather than token data or a key. */
export const isWord = (value: string): boolean => /^[a-z][a-z_.:*-]{0,40}$/i.test(value);

/** Quotes an argument of a command that a message names. On Windows for cmd.exe: PowerShell differs for double quotes and `$`. */
export function shellQuote(text: string, platform = process.platform): string {
  if (platform === 'win32') return /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Escapes control characters in text from others, which could otherwise rewrite the screen: C0 but tab and line feed, DEL,
 * C1, line separators, and those that change the direction of text. In JSON the result means the same.
 */
export function escapeControls(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped.
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A word, or a command as a whole: between backquotes, or up to the punctuation behind it. */
const WORD = /`tokenctl [^`]*`\S*|\(?\btokenctl [a-z]+ [a-z-].*?(?:[;,)](?= |$)|$)|\S+/g;

/**
 * Breaks a sentence between words and indents the lines after the first, less if that leaves little room. One that has lines of
 * its own stays as it is, and no word or command is broken, unlike in tables (`fold` of output/text-width.ts): commands and paths
 * can be copied.
 * @param width columns of the terminal; 0 if it does not tell
 * @param indent columns before the sentence
 */
export function foldProse(text: string, width: number, indent: number): string {
  if (text.length <= width - indent || text.includes('\n') || width <= indent) return text;
  const hanging = indent * 2 < width ? indent : 2;
  const lines: string[] = [];
  for (const word of text.match(WORD) ?? []) {
    const last = lines.at(-1);
    const columns = width - (lines.length > 1 ? hanging : indent);
    if (last !== undefined && last.length + word.length < columns) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(hanging)}`);
}
