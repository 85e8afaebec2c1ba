import { LIMITS } from '../../../src/contract/limits.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import { ignoreConflict } from '../../store/errors.js';
import type { Stored, WebhookRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';

/** Remembers since when a webhook accepts no event, and disables it after a day (decisions.md, "Disabling"). */
export async function noteOutcome(
  webhook: Stored<WebhookRecord>,
  isDelivered: boolean,
  now: number,
  store: Pick<Store, 'commit'>,
): Promise<void> {
  const changed = isDelivered ? withoutFailures(webhook) : withFailure(webhook, now);
  if (changed !== webhook)
    await store.commit([{ replace: 'webhooks', record: changed }]).catch(ignoreConflict);
}

/** Returns a webhook that is enabled, as a new one is. */
export function withoutFailures(webhook: Stored<WebhookRecord>): Stored<WebhookRecord> {
  const { failing_since, disabled_at, ...record } = webhook;
  return failing_since === undefined ? webhook : record;
}

function withFailure(webhook: Stored<WebhookRecord>, now: number): Stored<WebhookRecord> {
  const { failing_since, disabled_at } = webhook;
  const time = formatTimestamp(now);
  if (failing_since === undefined) return { ...webhook, failing_since: time };
  const isOver = now - Date.parse(failing_since) >= LIMITS.webhookFailureMs;
  return isOver && disabled_at === undefined ? { ...webhook, disabled_at: time } : webhook;
}
