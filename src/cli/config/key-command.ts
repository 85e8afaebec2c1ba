import { readCommandOutput } from '../lib/command-output.js';
import { CliError } from '../lib/errors.js';

/** A key is short; a command that prints more is not one that prints a key. */
const MAX_OUTPUT_CHARACTERS = 4096;

/**
 * Runs the command of a profile that prints its API key, such as `op read op://vault/item/key`.
 * @param source names the profile, for messages. They contain neither the command nor its output.
 * @throws {CliError} when it fails or does not print one key
 */
export async function readKeyFromCommand(command: string, source: string): Promise<string> {
  const { text, failure } = await readCommandOutput(command, MAX_OUTPUT_CHARACTERS);
  if (failure !== undefined)
    throw new CliError('unauthorized', `The key command of ${source} failed (${failure}).`, {
      hint: 'Run the command by itself. `tokenctl profile show` prints it.',
    });
  const key = text.trim();
  if (/^[!-~]+$/.test(key) && text.length <= MAX_OUTPUT_CHARACTERS) return key;
  throw new CliError('unauthorized', `The key command of ${source} must print one key and nothing else.`);
}
