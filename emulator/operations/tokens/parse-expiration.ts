import { DateTime } from 'luxon';

export const EXPIRATION_FORMATS =
  'must be <month>/<day>/<year> [<h>:<mm>:<ss> AM|PM [+|-<hh>:<mm>]] or ISO 8601, e.g. 8/31/2030 3:30:00 PM -05:00, 8/31/2030 or 2030-08-31T15:30:00-05:00';

/** spec, Token expiration: the long form with an optional offset, and the short date. */
const LONG_FORM =
  /^(\d{1,2}\/\d{1,2}\/\d{4})(?: (\d{1,2}:\d{2}:\d{2} [AP]M)(?: ?([+-](?:0\d|1[0-4]):[0-5]\d))?)?$/i;
const ISO_8601 =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i;

export interface Expiration {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** ISO 8601 with the offset that was given, `+00:00` by default. */
  readonly text: string;
}

/**
 * Reads `expires_at` in all the formats of the specification and of decisions.md, "Expiration and purge". Without an
 * offset the time is UTC, without a time it is midnight.
 * @returns undefined when the text has none of the formats, or names a date or time that does not exist
 */
export function parseExpiration(text: string): Expiration | undefined {
  const date = parseLongForm(text) ?? parseIso(text);
  if (!date?.isValid) return undefined;
  const fraction = date.millisecond === 0 ? '' : '.SSS';
  return { time: date.toMillis(), text: date.toFormat(`yyyy-MM-dd'T'HH:mm:ss${fraction}ZZ`) };
}

function parseLongForm(text: string): DateTime | undefined {
  const match = LONG_FORM.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '12:00:00 AM', offset = '+00:00'] = match;
  // Luxon takes 0 and 13 for an hour of the twelve-hour clock.
  const hour = Number.parseInt(time, 10);
  if (hour < 1 || hour > 12) return undefined;
  return DateTime.fromFormat(`${day} ${time} ${offset}`, 'M/d/yyyy h:mm:ss a ZZ', {
    setZone: true,
    locale: 'en-US',
  });
}

function parseIso(text: string): DateTime | undefined {
  return ISO_8601.test(text)
    ? DateTime.fromISO(text.toUpperCase(), { zone: 'utc', setZone: true })
    : undefined;
}
