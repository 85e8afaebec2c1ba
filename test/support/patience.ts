/** How long a test waits for what happens by itself, in milliseconds: ample, for a machine that is several times slower. */
export const PATIENCE_MS = 180_000;

export const PATIENCE = { timeout: PATIENCE_MS, interval: 50 };
