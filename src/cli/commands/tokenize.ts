import type { Context } from '../command.js';
import { rejectPlaceholder } from '../lib/placeholder.js';
import { parseJson, readSource } from './shared/input.js';

export async function run({ source }: { source: string }, context: Context): Promise<void> {
  const body = parseJson(await readSource(source, '<source>', context), '<source>');
  rejectPlaceholder(body);
  await context.output.result(await context.client.call('tokenize', { body }), { redaction: 'tokens' });
}
