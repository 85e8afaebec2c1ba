import { escapeControls } from '../lib/text.js';

export { escapeControls };

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** Styles text for a terminal; returns it unchanged when colors are off. */
export type Style = Record<(typeof STYLES)[number], (text: string) => string>;

const styleOf = (paint: (name: keyof Style, text: string) => string): Style =>
  Object.fromEntries(STYLES.map((name) => [name, (text: string) => paint(name, text)])) as Style;

const PLAIN = styleOf((_name, text) => text);

/** Stands for ESC in styled text until it is written: unknown to others, so that no other text has styles. Goal S2: not before colors. */
let escapeMark: string | undefined;

/** Loads a style, whose text is written with `toPrintable`. Without colors chalk is not loaded (goal S2). */
export async function loadStyle(color: boolean): Promise<Style> {
  if (!color) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  escapeMark ??= `\ufdd0${crypto.randomUUID()}\ufdd1`;
  const mark = escapeMark;
  // Control characters are escaped before chalk adds its own.
  return styleOf((name, text) => chalk[name](escapeControls(text)).replaceAll('\u001b[', `${mark}[`));
}

/** The door to a terminal: makes all text printable and keeps only the styles of `loadStyle`. */
export function toPrintable(text: string): string {
  if (escapeMark === undefined) return escapeControls(text);
  return text.split(escapeMark).map(escapeControls).join('\u001b');
}

export function withoutStyle(text: string): string {
  return escapeMark === undefined ? text : text.replace(new RegExp(`${escapeMark}\\[\\d+m`, 'g'), '');
}
