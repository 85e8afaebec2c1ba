import type { PendingDelivery } from '../../src/contract/control/deliveries.js';

/** Milliseconds between two looks at the deliveries. */
const POLL_MS = 10;

/**
 * Waits until a list of deliveries is empty.
 * @param waitMs milliseconds of the machine's clock
 * @returns those that are still in it then
 */
export async function waitForDeliveries(
  list: () => Promise<PendingDelivery[]>,
  waitMs: number,
): Promise<PendingDelivery[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const deliveries = await list();
    if (deliveries.length === 0 || performance.now() >= deadline) return deliveries;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
