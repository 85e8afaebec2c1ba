import type { Context } from '../command.js';
import { rejectPlaceholder } from '../lib/placeholder.js';
import { hideDetokenized } from '../output/redact.js';
import { readJsonSource } from './shared/input.js';

export async function tokenize({ source }: { source: string }, context: Context) {
  const body = await readJsonSource(source, 'tokenize', context);
  rejectPlaceholder(body);
  await context.output.result(await context.client.call('tokenize', { body }), { redaction: 'tokens' });
}

export async function detokenize({ source }: { source: string }, context: Context) {
  const { client, output } = context;
  const body = await readJsonSource(source, 'detokenize', context);
  const result = await client.call('detokenize', { body });
  const shown = output.settings.reveal ? result : hideDetokenized(body, result);
  await output.plain(shown);
}
