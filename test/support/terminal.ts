import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { cleanEnvironment } from './executable.js';
import { PATIENCE_MS } from './patience.js';

const POLL_MS = 10;

export interface Terminal {
  /** Returns the output so far, without control sequences. */
  screen(): string;
  /** Returns the output so far, with control sequences. */
  raw(): string;
  /** Waits for a text after the one waited for before. @throws {Error} if it does not appear. */
  waitFor(text: string): Promise<void>;
  type(keys: string): void;
  ended(): Promise<number | null>;
  /** Ends the command, as when the window of the terminal is closed. */
  kill(): void;
}

/** Runs a bash command in a terminal, which `script` of util-linux provides. */
export function openTerminal(command: string, cwd: string, env: Record<string, string> = {}): Terminal {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: cleanEnvironment(cwd, { TERM: 'xterm', SHELL: '/bin/bash', ...env }),
    stdio: 'pipe',
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let shown = '';
  let position = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  child.stdin.on('error', () => {});
  const closed = once(child, 'close') as Promise<[number | null]>;
  const screen = () => stripVTControlCharacters(shown).replaceAll('\r', '');
  return {
    screen,
    raw: () => shown,
    async waitFor(text) {
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
        const found = screen().indexOf(text, position);
        if (found >= 0) {
          position = found + text.length;
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      throw new Error(`"${text}" did not appear; the screen shows:\n${screen()}`);
    },
    type: (keys) => void child.stdin.write(keys),
    async ended() {
      const [code] = await closed;
      child.stdin.end();
      return code;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
