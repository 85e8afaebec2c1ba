import type { OutputSettings } from '../config/settings.js';
import { escapeWorkflowCommands } from '../lib/github.js';
import { hideSecrets, hideSecretsIn } from '../lib/secrets.js';
import { foldProse } from '../lib/text.js';
import { assertFieldFound, pickFields } from './fields.js';
import { fieldsOf, formatNdjson, formatTable, formatYaml, isEmpty } from './format.js';
import { redact } from './redact.js';
import { Spinner, StatusLine, type StatusLineStream } from './status-line.js';
import { loadStyle, toPrintable, withoutStyle } from './style.js';
import type { PlainView, View } from './view.js';

export interface Streams {
  stdout: { isTTY?: boolean; write(text: string): unknown };
  stderr: StatusLineStream & { isTTY?: boolean };
}

/** Prints data to stdout and everything else to stderr. The only writer of both. */
export type Output = Awaited<ReturnType<typeof createOutput>>;

type Destination = Pick<OutputSettings, 'inWorkflow'> & { isTTY?: boolean | undefined };

/** Returns how text is written to stdout: without secrets, printable on a terminal, and without workflow commands in GitHub Actions. */
export function stdoutFilter({ isTTY = false, inWorkflow }: Destination): (text: string) => string {
  const filter = isTTY ? toPrintable : withoutStyle;
  return (text) => {
    const safe = filter(hideSecrets(text));
    return inWorkflow ? escapeWorkflowCommands(safe) : safe;
  };
}

/** Returns how text is changed before it is written to stderr. */
export const stderrFilter = ({ inWorkflow }: Destination) => stdoutFilter({ isTTY: true, inWorkflow });

/** Whether errors are printed as JSON. If only stdout is redirected, they are text for the terminal. */
export function hasJsonErrors({ mode, chosen }: OutputSettings, stderr: { isTTY?: boolean }): boolean {
  return (mode === 'json' || mode === 'ndjson') && (chosen || !stderr.isTTY);
}

/** @param fieldsAreKnown whether the fields of `--json` have been checked against the contract */
export async function createOutput(
  settings: OutputSettings,
  { stdout, stderr }: Streams,
  fieldsAreKnown = false,
) {
  const style = await loadStyle(settings.color.stderr);
  const { inWorkflow } = settings;
  const filter = stdoutFilter({ isTTY: stdout.isTTY, inWorkflow });
  const filterError = stderrFilter({ inWorkflow });
  const prose = (text: string, indent = 0) =>
    foldProse(text, stderr.columns || Number.POSITIVE_INFINITY, indent);
  let heldTarget: string | undefined;
  const flush = () => {
    if (heldTarget !== undefined) lineToStderr(prose(heldTarget));
    heldTarget = undefined;
  };
  const statusLine = new StatusLine(stderr);
  const spinner = new Spinner({ color: settings.color.stderr, isFree: () => !statusLine.isShown });
  const write = (text: string) => {
    flush();
    if (stdout.isTTY) statusLine.show();
    stdout.write(filter(text));
  };
  const line = (text: string) => write(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const lineToStderr = (text: string) => statusLine.writeAbove(() => stderr.write(`${filterError(text)}\n`));

  /** Redacts a value and picks the fields of `--json`. Tables pick their own fields. */
  function prepare(value: unknown, view: View): unknown {
    const safe = hideSecretsIn(redact(value, view.redaction, settings.reveal));
    return settings.fields ? pickFields(safe, fieldsOf(settings.fields, view)) : safe;
  }

  function assertFields(value: unknown, { optional = [], columns = [] }: View): void {
    if (!settings.fields || fieldsAreKnown) return;
    assertFieldFound(value, settings.fields, [...columns.map(({ field }) => field), ...optional]);
  }

  async function printFiltered(value: unknown, view: View, jq: string, compact: boolean): Promise<void> {
    const { filterWithJq } = await import('./jq.js');
    line(await filterWithJq(prepare(value, view), jq, { compact }));
  }

  async function result(value: unknown, view: View): Promise<void> {
    // A response without a body prints nothing; the exit code shows the success.
    if (value === undefined) return;
    assertFields(value, view);
    if (settings.jq !== undefined) {
      await printFiltered(value, view, settings.jq, settings.mode === 'ndjson');
    } else if (settings.mode === 'table') {
      const safe = hideSecretsIn(redact(value, view.redaction, settings.reveal));
      if (view.empty && isEmpty(safe)) lineToStderr(style.dim(view.empty));
      else line(await formatTable(safe, view, settings));
    } else {
      const picked = prepare(value, view);
      if (settings.mode === 'yaml') line(await formatYaml(picked));
      else line(settings.mode === 'ndjson' ? formatNdjson(picked) : JSON.stringify(picked, null, 2));
    }
  }

  /** Prints one item of an endless stream as a line of JSON, filtered by `--jq`, in any mode. */
  async function item(value: unknown, view: View): Promise<void> {
    if (settings.jq !== undefined) await printFiltered(value, view, settings.jq, true);
    else line(JSON.stringify(prepare(value, view)));
  }

  /** Prints items as a page of the API, or NDJSON as they arrive. @param total how many there are if not all are printed */
  async function items(
    source: AsyncIterable<unknown>,
    view: View,
    total: (count: number) => number = (count) => count,
  ): Promise<number> {
    const isStream = settings.jq === undefined && settings.mode === 'ndjson';
    let count = 0;
    const data: unknown[] = [];
    for await (const item of source) {
      count++;
      if (isStream) write(`${JSON.stringify(prepare(item, view))}\n`);
      else data.push(item);
    }
    if (isStream) return count;
    await result({ data, pagination: { total_items: total(data.length) } }, view);
    return data.length;
  }

  /** Prints items in the shape of a page that has all of them. */
  const list = (data: readonly unknown[], view: View) =>
    result({ data, pagination: { total_items: data.length } }, view);

  return {
    settings,
    /** Whether people read results, as text. */
    isText: settings.mode === 'table' && settings.jq === undefined,
    style,
    result,
    /** Prints a result that holds nothing to hide. */
    plain: (value: unknown, view: PlainView = {}) => result(value, { ...view, redaction: 'plain' }),
    list,
    plainList: (data: readonly unknown[], view: PlainView) => list(data, { ...view, redaction: 'plain' }),
    items,
    item,
    /** Prints a result that is text, such as a completion script. */
    text: line,
    /** Prints a notice on stderr, unless `--quiet` is given. */
    notice: (notice: string) => {
      if (settings.quiet) return;
      flush();
      // Before it is folded: a secret may contain spaces.
      const text = hideSecrets(notice);
      // The width of styled text is not that of its characters.
      const isPlain = withoutStyle(text) === text;
      lineToStderr(isPlain ? prose(text) : text);
    },
    /**
     * Prints which service the command writes to, unless `--quiet` is given. If errors are JSON, it waits for the first
     * result or notice: stderr of a command that only failed must be one JSON object (cli.md, Failure).
     */
    target: (text: string) => {
      if (settings.quiet) return;
      heldTarget = text;
      if (!hasJsonErrors(settings, stderr)) flush();
    },
    /** Prints what `target` still holds back: call it when the command has succeeded. */
    flush,
    warn: (text: string) => {
      flush();
      lineToStderr(`${style.yellow('warning:')} ${prose(text, 'warning: '.length)}`);
    },
    annotate: (command: string) => {
      if (settings.quiet) return;
      flush();
      statusLine.writeAbove(() => stderr.write(`${hideSecrets(command)}\n`));
    },
    failure: lineToStderr,
    debug: (text: string) => {
      if (settings.debug) lineToStderr(style.dim(text));
    },
    /** Replaces the last line of the terminal, below everything else; removes it without `render`. Only with `settings.animate`. */
    status: (render?: (width: number) => string) => statusLine.show(render),
    /** Runs a task. On a terminal, a spinner with the text shows that it takes long. */
    wait: <Result>(text: string, task: () => Promise<Result>): Promise<Result> =>
      settings.animate ? spinner.during(text, task) : task(),
  };
}
