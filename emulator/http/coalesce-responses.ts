/**
 * Waits until the event loop has taken in what had arrived. Answers that are sent together afterwards wake a client up
 * once instead of once each, which costs more than most requests do.
 */
export function coalesceResponses(): Promise<void> {
  current ??= new Promise((resolve) => {
    setImmediate(() => {
      current = undefined;
      resolve();
    });
  });
  return current;
}

let current: Promise<void> | undefined;
