import type { Context } from '../command.js';
import { rejectPlaceholder } from '../lib/placeholder.js';
import { readJsonSource } from './shared/input.js';

export async function run({ source }: { source: string }, context: Context): Promise<void> {
  const body = await readJsonSource(source, context);
  rejectPlaceholder(body);
  await context.output.result(await context.client.call('tokenize', { body }), { redaction: 'tokens' });
}
