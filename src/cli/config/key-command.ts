import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CliError } from '../lib/errors.js';

/** Time for a key command, which may ask the user to unlock a password manager. */
const TIMEOUT_MS = 60_000;
/** A key is short; a command that prints more is not one that prints a key. */
const MAX_OUTPUT_CHARACTERS = 4096;

/**
 * Runs the command of a profile that prints its API key, such as `op read op://vault/item/key`, in the shell. Its stderr and
 * terminal are those of tokenctl, so that it can ask for a password.
 * @param source names the profile, for messages. They contain neither the command nor its output.
 * @throws {CliError} when it fails or does not print one key
 */
export async function readKeyFromCommand(command: string, source: string): Promise<string> {
  const child = spawn(command, {
    shell: true,
    stdio: ['inherit', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (printed.length <= MAX_OUTPUT_CHARACTERS) printed += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0)
    throw new CliError('unauthorized', `The key command of ${source} failed (${signal ?? `exit ${code}`}).`, {
      hint: 'Run the command by itself. `tokenctl profile show` prints it.',
    });
  const key = printed.trim();
  if (/^[!-~]+$/.test(key) && printed.length <= MAX_OUTPUT_CHARACTERS) return key;
  throw new CliError('unauthorized', `The key command of ${source} must print one key and nothing else.`);
}
