import type { StoreHealth } from '../../src/contract/control/health.js';

/** Looks at a store, however it fares. Never rejects, and resolves within a second or two. */
export type StoreProbe = () => Promise<StoreHealth>;
