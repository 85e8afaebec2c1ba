import type { Context } from '../command.js';
import { hideDetokenized } from '../output/redact.js';
import { readJsonSource } from './shared/input.js';

export async function run({ source }: { source: string }, context: Context): Promise<void> {
  const { client, output } = context;
  const body = await readJsonSource(source, context);
  const result = await client.call('detokenize', { body });
  const shown = output.settings.reveal ? result : hideDetokenized(body, result);
  await output.result(shown, { redaction: 'plain' });
}
