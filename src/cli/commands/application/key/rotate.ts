import { parseDuration } from '../../../../contract/durations.js';
import type { ApplicationKey } from '../../../../contract/schemas/index.js';
import type { Context } from '../../../command.js';
import { usageError } from '../../../lib/errors.js';
import { resolveApplicationId } from '../../../lib/lookup.js';
import { shellQuote } from '../../../lib/shell-quote.js';
import { printWithKey } from '../print-key.js';
import { KEY_VIEW } from './view.js';

interface RotateOptions {
  application: string;
  overlap?: string | undefined;
}

/**
 * Creates a new key and keeps the old ones, so that callers can change over without an outage. With `--overlap` it then deletes
 * the keys that were replaced longer ago than that; 0 deletes all old ones at once.
 */
export async function run(options: RotateOptions, context: Context): Promise<void> {
  const { client, output } = context;
  const overlapMs = parseOverlap(options.overlap);
  const id = await resolveApplicationId(client, options.application);
  const before = await client.call('applications.keys.list', { path: { id } });
  const created = await client.call('applications.keys.create', { path: { id }, body: {} });
  await printWithKey(created, 'Store the new key now; it is shown only once.', KEY_VIEW, context);
  const replaced = replacedKeys(before, created, overlapMs);
  for (const { id: key_id } of replaced) {
    await client.call('applications.keys.delete', { path: { id, key_id } });
    output.notice(`Deleted the key ${key_id}. It no longer works.`);
  }
  for (const key of before.filter((one) => !replaced.includes(one)))
    output.notice(
      `The key ${key.id} still works. When nothing uses it: tokenctl application key delete ${shellQuote(options.application)} ${key.id}`,
    );
}

function parseOverlap(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const ms = text === '0' ? 0 : parseDuration(text);
  if (ms !== undefined && ms >= 0) return ms;
  throw usageError('--overlap must be a duration such as 24h or 7d, or 0.');
}

/** Lists the keys whose successor was created at least `overlapMs` before the new key. */
function replacedKeys(
  before: readonly ApplicationKey[],
  created: ApplicationKey,
  overlapMs: number,
): ApplicationKey[] {
  const time = ({ created_at = '' }: ApplicationKey) => Date.parse(created_at);
  const inOrder = before.toSorted((a, b) => time(a) - time(b));
  return inOrder.filter((_, index) => time(created) - time(inOrder[index + 1] ?? created) >= overlapMs);
}
