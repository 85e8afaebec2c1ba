import type { Store } from '../../store/store.js';

const claimOf = (name: string) => `delivery:${name}`;

/** Keeps deliveries from the other processes that share the store. Without any, every claim is granted. */
export class DeliveryClaims {
  constructor(private readonly store: Pick<Store, 'shared'>) {}

  /** Claims a delivery, or those of one order. Returns false while another process has them. */
  async take(name: string, leaseMs: number): Promise<boolean> {
    return (await this.store.shared?.claim(claimOf(name), leaseMs)) ?? true;
  }

  async release(name: string): Promise<void> {
    // If the database has become unavailable, the claim expires.
    await this.store.shared?.release(claimOf(name)).catch(() => {});
  }
}
