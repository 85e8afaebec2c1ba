import type { DeliveryRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import type { RequestRecords } from '../request-record/request-records.js';

/** The status of a receiver's response, or why there was none: refused by the network policy, connection failed. */
export type AttemptResult = { status: number } | { error: string };

/** How an attempt to deliver ended. */
interface AttemptOutcome {
  /** The emulator's time. */
  time: string;
  /** From 1. */
  attempt: number;
  result: AttemptResult;
  delivered: boolean;
}

/** Emits the event of an attempt: of a webhook, or of the callback of a reactor. */
export async function emitAttempt(
  { id, tenant_id, reactor_id, event }: DeliveryRecord,
  { time, attempt, result, delivered }: AttemptOutcome,
  { store, records }: { store: Pick<Store, 'get'>; records: Pick<RequestRecords, 'add'> },
): Promise<void> {
  const outcome = {
    time,
    tenant_id,
    request_id: id,
    attempt,
    ...result,
    delivered,
  };
  if (event) {
    const { id: event_id, type: event_type, webhook_id } = event;
    records.add({ kind: 'webhook', ...outcome, webhook_id, event_id, event_type });
  } else if (reactor_id !== undefined) {
    const reactor = await store.get('reactors', tenant_id, reactor_id);
    records.add({
      kind: 'callback',
      ...outcome,
      reactor_id,
      ...(reactor && { reactor_name: reactor.name }),
    });
  }
}
