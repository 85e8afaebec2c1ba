import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExpiration } from '../../../../emulator/operations/tokens/lifetime.js';

describe('expires_at: both formats of the specification in all their variants, and ISO 8601', () => {
  it.each([
    ['8/31/2030 3:30:00 PM -05:00', '2030-08-31T15:30:00-05:00'],
    ['08/31/2030 03:30:00 PM -05:00', '2030-08-31T15:30:00-05:00'],
    ['8/31/2030 3:30:00 pm -05:00', '2030-08-31T15:30:00-05:00'],
    ['1/2/2030 12:00:00 AM +05:30', '2030-01-02T00:00:00+05:30'],
    ['1/2/2030 12:00:00 PM +00:00', '2030-01-02T12:00:00+00:00'],
    ['12/31/2030 11:59:59 PM +14:00', '2030-12-31T23:59:59+14:00'],
    // a date-time without an offset is read as UTC
    ['8/31/2030 3:30:00 PM', '2030-08-31T15:30:00+00:00'],
    // a short date means 12 AM UTC of that day
    ['8/31/2030', '2030-08-31T00:00:00+00:00'],
    ['08/01/2030', '2030-08-01T00:00:00+00:00'],
    ['2/29/2032', '2032-02-29T00:00:00+00:00'],
    // ISO 8601 with or without offset; a date alone is midnight UTC
    ['2030-08-31T15:30:00-05:00', '2030-08-31T15:30:00-05:00'],
    ['2030-08-31T15:30:00-0500', '2030-08-31T15:30:00-05:00'],
    ['2030-08-31T15:30:00+05', '2030-08-31T15:30:00+05:00'],
    ['2030-08-31T15:30:00Z', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31t15:30:00z', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31T15:30:00', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31T15:30', '2030-08-31T15:30:00+00:00'],
    ['2030-08-31T15:30:00.250Z', '2030-08-31T15:30:00.250+00:00'],
    ['2030-08-31', '2030-08-31T00:00:00+00:00'],
  ])('%s is %s', (text, iso) => {
    expect(parseExpiration(text)).toEqual({ text: iso, time: Date.parse(iso) });
  });

  it.each([
    '',
    'tomorrow',
    '31/8/2030',
    '2/30/2030',
    '2/29/2031',
    '13/1/2030',
    '0/1/2030',
    '8/31/30',
    '8-31-2030',
    '8/31/2030 3:30 PM',
    '8/31/2030 13:30:00 PM',
    '8/31/2030 0:30:00 AM',
    '8/31/2030 3:30:00',
    '8/31/2030 3:60:00 PM',
    '8/31/2030 3:30:00 PM 05:00',
    '8/31/2030 3:30:00 PM -5:00',
    '8/31/2030 3:30:00 PM +15:00',
    '8/31/2030 3:30:00 PM Z',
    ' 8/31/2030',
    '8/31/2030 ',
    '2030-02-30',
    '2030-13-01',
    '2030-08-31T25:00:00Z',
    '2030-08-31 15:30:00',
    '2030',
    '2030-08',
    '15:30:00',
    '2030-W35',
    '20300831',
    '1924905600',
    '2030-08-31T15:30:00+99:00',
  ])('%j is not accepted', (text) => expect(parseExpiration(text)).toBeUndefined());
});

it('a formatted timestamp parses to the same time', () => {
  const date = fc.date({ min: new Date('2030-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (moment) => {
      const parsed = parseExpiration(moment.toISOString());
      expect(parsed?.time).toBe(moment.getTime());
      expect(parseExpiration(parsed?.text ?? '')).toEqual(parsed);
    }),
  );
});
