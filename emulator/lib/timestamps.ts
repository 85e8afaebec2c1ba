/**
 * ISO 8601 with milliseconds, UTC, and back. Under load the same few times are written and read over and over (when a
 * token was created and when its cvc is due: for the record, the audit entry and the indexes), and `Date` takes as long
 * for each as for the first. The last ones are remembered, each at a place that follows from itself.
 */
const PLACES = 61;

const written = { times: new Array<number | undefined>(PLACES), texts: new Array<string>(PLACES) };
const read = { times: new Array<number>(PLACES), texts: new Array<string | undefined>(PLACES) };

/** @param time milliseconds since 1970 */
export function formatTimestamp(time: number): string {
  const place = (Math.abs(time) % PLACES) | 0;
  if (written.times[place] !== time) {
    written.texts[place] = new Date(time).toISOString();
    written.times[place] = time;
  }
  return written.texts[place] as string;
}

/** Milliseconds since 1970 of a text that `Date.parse` knows; NaN of any other. */
export function parseTimestamp(text: string): number {
  // The hour and the milliseconds.
  const place = ((text.charCodeAt(12) * 7 + text.charCodeAt(21) * 10 + text.charCodeAt(22)) % PLACES) | 0;
  if (read.texts[place] !== text) {
    read.times[place] = Date.parse(text);
    read.texts[place] = text;
  }
  return read.times[place] as number;
}
