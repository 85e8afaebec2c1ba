import { isObject } from '../../contract/json.js';
import { escapeControls, type Style } from './style.js';
import { cellText } from './table.js';
import { displayWidth, fold, pad } from './text-width.js';

const INDENT = '  ';
/** Columns that values need: those of an id with the name behind it, or of a fingerprint. */
const VALUE_WIDTH = 48;
const GAP = '  ';

/**
 * Formats an object as `name  value` lines of at most `width` columns, with one line per entry of nested objects. Nothing is
 * cut: a long value continues below its beginning. Text with line feeds, such as code, and lists of objects, such as rules,
 * follow below their name.
 */
export const renderRecord = (item: object, style: Style, width: number): string =>
  recordLines(item, style, width).join('\n');

function recordLines(item: object, style: Style, width: number): string[] {
  const entries = Object.entries(item).flatMap(([name, value]) => flatten(cellText(name), value));
  const longest = entries.reduce((most, [name]) => Math.max(most, displayWidth(name)), 0);
  const labelWidth = Math.min(longest, Math.max(Math.floor(width / 3), width - GAP.length - VALUE_WIDTH));
  const textWidth = width - labelWidth - GAP.length;
  return entries.flatMap(([name, value]) => {
    const block = toBlock(value, style, width - INDENT.length);
    const text = Array.isArray(value) ? value.map(cellText).join(', ') : cellText(value);
    if (block !== undefined || displayWidth(name) > labelWidth)
      return [
        ...fold(name, width).map(style.dim),
        ...(block ?? fold(text, width - INDENT.length)).map((line) => INDENT + line),
      ];
    const [first = '', ...more] = fold(text, textWidth);
    const lines = [`${style.dim(pad(name, labelWidth))}${GAP}${first}`.trimEnd()];
    return [...lines, ...more.map((line) => ' '.repeat(labelWidth) + GAP + line)];
  });
}

/** Returns the lines of a value that does not fit after its name; undefined if it does. */
function toBlock(value: unknown, style: Style, width: number): string[] | undefined {
  if (typeof value === 'string' && /\n./.test(value))
    return value
      .trimEnd()
      .split('\n')
      .flatMap((line) => fold(escapeControls(line.replace(/\t/g, INDENT)).trimEnd(), width));
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return undefined;
  return value.flatMap((part) =>
    recordLines(part, style, width - INDENT.length).map(
      (line, index) => (index === 0 ? '- ' : INDENT) + line,
    ),
  );
}

function flatten(name: string, value: unknown): [string, unknown][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[name, value]];
  return Object.entries(value).flatMap(([key, part]) => flatten(`${name}.${cellText(key)}`, part));
}
