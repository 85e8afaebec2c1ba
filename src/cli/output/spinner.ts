/** How long a wait lasts before the spinner appears. Milliseconds. */
const DELAY_MS = 500;

interface SpinnerOptions {
  /** Whether it is coloured. */
  color: boolean;
  /** Whether nothing else is shown in the last line. */
  isFree: () => boolean;
}

/** Shows one spinner at a time on the terminal that stderr is. It is gone when the process ends. */
export class Spinner {
  #isWaiting = false;

  constructor(private readonly options: SpinnerOptions) {}

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
