import type { EmulatorEvent } from '../../../src/contract/control/events.js';
import type { Events } from '../events.js';
import { retryDelayMs } from '../webhooks/retry-delay.js';

/** How an attempt ended: the receiver accepted, another attempt follows, or none does. */
type AttemptOutcome = 'delivered' | 'retried' | 'given_up';

/** Counts the attempts of this process to deliver callbacks and webhook events since the start. */
export class DeliveryCounters {
  readonly attempts: Record<'callback' | 'webhook', Record<AttemptOutcome, number>> = {
    callback: { delivered: 0, retried: 0, given_up: 0 },
    webhook: { delivered: 0, retried: 0, given_up: 0 },
  };

  constructor(events: Pick<Events, 'subscribeToOwn'>) {
    events.subscribeToOwn((event) => {
      if (event.kind === 'callback' || event.kind === 'webhook')
        this.attempts[event.kind][outcomeOf(event)] += 1;
    });
  }
}

function outcomeOf({
  delivered,
  attempt,
}: Extract<EmulatorEvent, { kind: 'callback' | 'webhook' }>): AttemptOutcome {
  if (delivered) return 'delivered';
  return retryDelayMs(attempt) === undefined ? 'given_up' : 'retried';
}
