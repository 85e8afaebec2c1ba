import { toPrintable } from './style.js';

const OPEN = '\u001b[?1049h\u001b[?25l';
const CLOSE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const ERASE_TO_END_OF_LINE = '\u001b[K';
const ERASE_BELOW = '\u001b[J';
const CTRL_C = '\u0003';

const [DEFAULT_WIDTH, DEFAULT_HEIGHT] = [80, 24];

/** The whole terminal, in its alternate screen. What was there before is back after `close`, and after any exit. */
export class Screen {
  readonly #onKey: (key: string) => void;
  readonly #onResize: () => void;

  /** Takes over the terminal. @param onKey receives every key but Ctrl-C, which interrupts as it does elsewhere */
  constructor(onKey: (key: string) => void, onResize: () => void) {
    this.#onKey = onKey;
    this.#onResize = onResize;
    const { stdin, stdout } = process;
    stdout.write(OPEN);
    process.once('exit', this.#restore);
    stdout.on('resize', this.#onResize);
    if (!stdin.isTTY) return;
    stdin.setRawMode(true).setEncoding('utf8').on('data', this.#receive).resume();
  }

  /** Draws lines from the top; what is wider or higher than the terminal is cut. @param render returns styled lines */
  draw(render: (width: number, height: number) => readonly string[]): void {
    const { columns: width = DEFAULT_WIDTH, rows: height = DEFAULT_HEIGHT } = process.stdout;
    const lines = render(width, height).slice(0, height);
    const text = lines.map((line) => ERASE_TO_END_OF_LINE + toPrintable(line)).join('\r\n');
    process.stdout.write(HOME + text + ERASE_BELOW);
  }

  close(): void {
    const { stdin, stdout } = process;
    stdout.off('resize', this.#onResize);
    stdin.off('data', this.#receive);
    process.off('exit', this.#restore);
    this.#restore();
    // An open stdin keeps the process alive.
    if (stdin.isTTY) stdin.pause();
  }

  readonly #receive = (keys: string) => {
    // In raw mode, the terminal sends no signal.
    if (keys.includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
    else for (const key of keys) this.#onKey(key);
  };

  readonly #restore = () => {
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    process.stdout.write(CLOSE);
  };
}
