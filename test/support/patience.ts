/** How long a test waits for what happens by itself, in milliseconds: ample, for a slow and busy machine too. */
export const PATIENCE = { timeout: 60_000, interval: 50 };
