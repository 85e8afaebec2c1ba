import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Time for a command, which may ask the user to unlock a password manager. */
const TIMEOUT_MS = 60_000;

/** Runs a command in the shell, with the terminal of tokenctl, so that it can ask for a password. `failure`: `exit 1`, `SIGTERM`. */
export async function readCommandOutput(command: string, maxCharacters: number) {
  const child = spawn(command, {
    shell: true,
    stdio: ['inherit', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length <= maxCharacters) text += chunk;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { text, failure: code === 0 ? undefined : (signal ?? `exit ${code}`) };
}
