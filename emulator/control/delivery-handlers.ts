import { problem } from '../problems/problem.js';
import { pendingDeliveries } from '../services/webhooks/pending-deliveries.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler.js';
import { waitForDeliveries } from './wait-for-deliveries.js';

type DeliveryHandlers = Pick<ControlHandlers, 'deliveries.list' | 'deliveries.wait' | 'deliveries.resend'>;

export function deliveryHandlers({ context }: Pick<Control, 'context'>): DeliveryHandlers {
  const { callbacks } = context;
  return {
    'deliveries.list': async ({ tenant }) => ({ deliveries: await pendingDeliveries(context, tenant) }),
    'deliveries.wait': async ({ tenant, body }) => ({
      deliveries: await waitForDeliveries(() => pendingDeliveries(context, tenant), body.wait_ms),
    }),
    async 'deliveries.resend'({ tenant, path }) {
      const delivery = await callbacks.resend(path.id, tenant);
      if (!delivery) throw problem('notFound', 'No recent callback has this request ID.');
      return delivery;
    },
  };
}
