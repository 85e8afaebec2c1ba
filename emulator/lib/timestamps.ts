let last = { time: Number.NaN, text: '' };

/** Formats a time as the API prints it. The last one is remembered: those of one request are mostly equal. */
export function formatTimestamp(time: number): string {
  if (time !== last.time) last = { time, text: new Date(time).toISOString() };
  return last.text;
}
