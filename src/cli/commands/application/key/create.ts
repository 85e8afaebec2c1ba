import { parseDuration } from '../../../../contract/durations.js';
import type { Context } from '../../../command.js';
import { resolveApplicationId } from '../../../lib/lookup.js';
import { printWithKey } from '../print-key.js';
import { KEY_VIEW } from './view.js';

interface CreateOptions {
  application: string;
  expires?: string | undefined;
}

export async function run({ application, expires }: CreateOptions, context: Context): Promise<void> {
  const { client } = context;
  const id = await resolveApplicationId(client, application);
  const body = expires === undefined ? {} : { expires_at: toTime(expires) };
  const key = await client.call('applications.keys.create', { path: { id }, body });
  await printWithKey(key, 'Store the key now; it is shown only once.', KEY_VIEW, context);
}

/** Converts a duration to the time when it has passed. Anything else is a time, which the service validates. */
function toTime(text: string): string {
  const ms = parseDuration(text);
  return ms === undefined || ms <= 0 ? text : new Date(Date.now() + ms).toISOString();
}
