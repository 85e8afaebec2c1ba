import { escapeControls } from '../lib/text.js';

export { escapeControls };

/** Styles text for a terminal; returns it unchanged when colors are off. */
export interface Style {
  bold: (text: string) => string;
  dim: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  yellow: (text: string) => string;
  cyan: (text: string) => string;
}

const same = (text: string): string => text;

const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** Stands for ESC in styled text until it is written: unknown to others, so that no other text has styles. Goal S2: not before colors. */
let escapeMark: string | undefined;

/** Loads a style, whose text is written with `toPrintable`. Without colors chalk is not loaded (goal S2). */
export async function loadStyle(color: boolean): Promise<Style> {
  if (!color) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  escapeMark ??= `\ufdd0${crypto.randomUUID()}\ufdd1`;
  const mark = escapeMark;
  const marked = (paint: (text: string) => string) => (text: string) =>
    paint(text).replaceAll('\u001b[', `${mark}[`);
  const safe = (paint: (text: string) => string) => {
    const paintMarked = marked(paint);
    // Control characters are escaped before chalk adds its own.
    return (text: string) => paintMarked(escapeControls(text));
  };
  return {
    bold: safe(chalk.bold),
    dim: safe(chalk.dim),
    red: safe(chalk.red),
    green: safe(chalk.green),
    yellow: safe(chalk.yellow),
    cyan: safe(chalk.cyan),
  };
}

/** The door to a terminal: makes all text printable and keeps only the styles of `loadStyle`. */
export function toPrintable(text: string): string {
  if (escapeMark === undefined) return escapeControls(text);
  return text.split(escapeMark).map(escapeControls).join('\u001b');
}

export function withoutStyle(text: string): string {
  return escapeMark === undefined ? text : text.replace(new RegExp(`${escapeMark}\\[\\d+m`, 'g'), '');
}
