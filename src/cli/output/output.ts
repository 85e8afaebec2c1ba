import type { OutputSettings } from '../config/settings.js';
import { isPage, pick, pickFields } from './fields.js';
import { type Redaction, redact } from './redact.js';
import { loadStyle, type Style } from './style.js';
import type { Column } from './table.js';

/** How a result is to be shown. */
export interface View {
  /** What must be hidden in it. */
  redaction: Redaction;
  /** Of its table, when it is a list; an object is shown field by field. */
  columns?: readonly Column[];
  /** Said instead of a table without rows. */
  empty?: string;
  /** Replaces the table: the text for a terminal. */
  render?: (value: never, style: Style) => string;
}

/** Where text goes: the process's streams, or a test's. */
export interface Streams {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** The one writer of results: data to stdout, everything else to stderr. */
export interface Output {
  readonly settings: OutputSettings;
  /** For stderr. */
  readonly style: Style;
  /** Prints what the command is for, in the mode that was chosen. */
  result(value: unknown, view: View): Promise<void>;
  /** Prints items as they come; a table and `--jq` wait for the last one. Gives their number. */
  items(items: AsyncIterable<unknown>, view: View): Promise<number>;
  /** Prints one of the items that come without end: one line of JSON, or what `--jq` makes of it, whatever the mode. */
  item(value: unknown, view: View): Promise<void>;
  /** Text that is the result itself, such as a completion script. */
  text(text: string): void;
  /** Tells what happened, on stderr; not with `--quiet`. */
  notice(text: string): void;
  /** Tells what may be wrong, on stderr, always. */
  warn(text: string): void;
  /** A line of `--debug`. */
  debug(text: string): void;
}

async function formatTable(value: unknown, view: View, settings: OutputSettings): Promise<string> {
  const style = await loadStyle(settings.color.stdout);
  if (view.render && !settings.fields)
    return (view.render as (value: unknown, style: Style) => string)(value, style);
  const { renderRecord, renderTable, cellText } = await import('./table.js');
  const items = isPage(value) ? value.data : value;
  if (!Array.isArray(items)) {
    const item = settings.fields ? pick(items, settings.fields) : items;
    return typeof item === 'object' && item !== null ? renderRecord(item, style) : cellText(item);
  }
  const columns = settings.fields?.map((field) => ({ title: field, field })) ?? view.columns;
  if (items.length === 0) return '';
  if (columns) return renderTable(items, columns, style);
  return items
    .map((item) => (typeof item === 'object' && item !== null ? renderRecord(item, style) : cellText(item)))
    .join('\n\n');
}

async function formatYaml(value: unknown): Promise<string> {
  // A CommonJS package: in the split bundle only its default export is sure to be there.
  const { default: yaml } = await import('yaml');
  return yaml.stringify(value, { lineWidth: 0 }).trimEnd();
}

function formatNdjson(value: unknown): string {
  const items = isPage(value) ? value.data : Array.isArray(value) ? value : [value];
  return items.map((item) => JSON.stringify(item)).join('\n');
}

export async function createOutput(settings: OutputSettings, { stdout, stderr }: Streams): Promise<Output> {
  const style = await loadStyle(settings.color.stderr);
  const line = (text: string) => void stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const aside = (text: string) => void stderr.write(`${text}\n`);

  /** As it may be shown, with the fields that were asked for; a table picks them itself. */
  function shown(value: unknown, view: View): unknown {
    const safe = redact(value, view.redaction, settings.reveal);
    return settings.fields ? pickFields(safe, settings.fields) : safe;
  }

  async function filtered(value: unknown, view: View, jq: string, compact: boolean): Promise<void> {
    const { filterWithJq } = await import('./jq.js');
    line(await filterWithJq(shown(value, view), jq, { compact }));
  }

  async function result(value: unknown, view: View): Promise<void> {
    // An answer without a body prints nothing: success is the exit code.
    if (value === undefined) return;
    if (settings.jq !== undefined) {
      await filtered(value, view, settings.jq, settings.mode === 'ndjson');
    } else if (settings.mode === 'table') {
      const safe = redact(value, view.redaction, settings.reveal);
      if (view.empty && isEmpty(safe)) aside(style.dim(view.empty));
      else line(await formatTable(safe, view, settings));
    } else {
      const picked = shown(value, view);
      if (settings.mode === 'yaml') line(await formatYaml(picked));
      else line(settings.mode === 'ndjson' ? formatNdjson(picked) : JSON.stringify(picked, null, 2));
    }
  }

  async function item(value: unknown, view: View): Promise<void> {
    if (settings.jq !== undefined) await filtered(value, view, settings.jq, true);
    else line(JSON.stringify(shown(value, view)));
  }

  async function streamed(items: AsyncIterable<unknown>, view: View): Promise<number> {
    const ndjson = settings.mode === 'ndjson';
    let count = 0;
    for await (const item of items) {
      const text = JSON.stringify(shown(item, view), null, ndjson ? 0 : 2);
      stdout.write(ndjson ? `${text}\n` : `${count === 0 ? '[' : ','}\n${text.replace(/^/gm, '  ')}`);
      count++;
    }
    if (!ndjson) stdout.write(count === 0 ? '[]\n' : '\n]\n');
    return count;
  }

  async function items(source: AsyncIterable<unknown>, view: View): Promise<number> {
    if (settings.jq === undefined && (settings.mode === 'json' || settings.mode === 'ndjson'))
      return streamed(source, view);
    const all: unknown[] = [];
    for await (const item of source) all.push(item);
    await result(all, view);
    return all.length;
  }

  return {
    settings,
    style,
    result,
    items,
    item,
    text: line,
    notice: (text) => {
      if (!settings.quiet) aside(text);
    },
    warn: (text) => aside(`${style.yellow('warning:')} ${text}`),
    debug: (text) => {
      if (settings.debug) aside(style.dim(text));
    },
  };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isPage(value) && value.data.length === 0;
}
