const DEFAULT_WIDTH = 80;
const ERASE_LINE = '\r\u001b[K';
/** Room for the cursor and for `^C`, which terminals print at the cursor: a line that they wrap cannot be erased. */
const MARGIN = 3;

export interface StatusLineStream {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

/** A line of a terminal that is replaced in place. It never hides the cursor, and leaves nothing behind at the exit. */
export class StatusLine {
  #text = '';

  constructor(private readonly stream: StatusLineStream) {}

  get isShown(): boolean {
    return this.#text !== '';
  }

  /** Replaces the line. @param render returns a text of at most `width` columns; leave it out to remove the line */
  show(render?: (width: number) => string): void {
    process.removeListener('exit', this.#remove);
    if (render) process.once('exit', this.#remove);
    // A terminal that does not know its size has 0 columns.
    const width = Math.max(0, (this.stream.columns || DEFAULT_WIDTH) - MARGIN);
    const text = render ? render(width) : '';
    if (text !== this.#text) this.stream.write(`${ERASE_LINE}${text}`);
    this.#text = text;
  }

  /** Writes other text in place of the line, which moves below it. @param write writes whole lines to the terminal */
  writeAbove(write: () => void): void {
    const text = this.#text;
    if (text !== '') this.stream.write(ERASE_LINE);
    write();
    if (text !== '') this.stream.write(text);
  }

  readonly #remove = () => this.show();
}

/** How long a wait lasts before the spinner appears. Milliseconds. */
const DELAY_MS = 500;

/**
 * Shows one spinner at a time on the terminal that stderr is. It is gone when the process ends. `isFree`: nothing else is shown in the
 * last line.
 */
export class Spinner {
  #isWaiting = false;

  constructor(private readonly options: { color: boolean; isFree: () => boolean }) {}

  /** Runs a task, and shows the spinner if that takes long and nothing else does. */
  async during<Result>(text: string, task: () => Promise<Result>): Promise<Result> {
    if (this.#isWaiting) return task();
    this.#isWaiting = true;
    const done = new AbortController();
    const timer = setTimeout(() => this.#show(text, done.signal), DELAY_MS);
    try {
      return await task();
    } finally {
      this.#isWaiting = false;
      clearTimeout(timer);
      done.abort();
    }
  }

  /** @param signal removes it */
  async #show(text: string, signal: AbortSignal): Promise<void> {
    const { default: ora } = await import('ora');
    const { color, isFree } = this.options;
    // A terminal that does not know its size has 0 columns, over which ora would never stop to count lines.
    if (signal.aborted || !isFree() || process.stderr.columns === 0) return;
    const options = { hideCursor: false, discardStdin: false, ...(!color && { color: false as const }) };
    const spinner = ora({ text, ...options }).start();
    const stop = () => spinner.stop();
    process.once('exit', stop);
    signal.addEventListener('abort', () => {
      stop();
      process.removeListener('exit', stop);
    });
  }
}
