import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LeakWatch } from '../../../../emulator/services/leaks/leak-watch.js';
import { Redaction } from '../../../../emulator/services/leaks/redaction.js';
import type { TokenRecord } from '../../../../emulator/store/records.js';

function token(data: unknown): TokenRecord {
  return { id: 'a', tenant_id: 't', type: 'token', data, containers: ['/'] } as unknown as TokenRecord;
}

function redact(data: unknown, text: string): string {
  const redaction = new Redaction();
  redaction.addRecord('tokens', token(data));
  return redaction.redact(text);
}

const quoted = (text: string): string => JSON.stringify(text);

test.each([
  ['4242424242424242', 'paid 4242 4242 4242 4242, not 4000', 'paid XXXX XXXX XXXX XXXX, not 4000'],
  ['4242424242424242', '{"number":4242424242424242,"a":1}', '{"number":9999999999999999,"a":1}'],
  [{ cvc: '737' }, '{"value":"737","at":737,"card[cvc]":737}', '{"value":"XXX","at":737,"card[cvc]":999}'],
  [{ cvc: '737' }, String.raw`{"title":"Fill \"737\""}`, String.raw`{"title":"Fill \"XXX\""}`],
  ['ninety', String.raw`{"a":"\ninety"}`, String.raw`{"a":"\nXXXXX"}`],
  ['a secret that is long '.repeat(20), 'a secret that is long '.repeat(20), /^(?:X XXXXXX XXXX XX XXXX )+$/],
])('masks %o in its place', (data, text, expected) => {
  if (typeof expected === 'string') expect(redact(data, text)).toBe(expected);
  else expect(redact(data, text)).toMatch(expected);
});

test('what is redacted keeps its length, stays JSON, and holds nothing that the leak watch finds', () => {
  const value = fc
    .string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
    .filter((text) => text.trim().length >= 6 && /[\p{L}\p{N}]/u.test(text));
  fc.assert(
    fc.property(value, (text) => {
      const forms = [
        ...[text, encodeURIComponent(text), Buffer.from(`a ${text}`).toString('base64')],
        ...[Buffer.from(text).toString('hex'), quoted(text), quoted(quoted(text)), `the value ${text}.`],
      ];
      const before = JSON.stringify({ forms });
      const after = redact(text, before);
      expect(after).toHaveLength(before.length);
      expect(JSON.parse(after).forms).toHaveLength(forms.length);
      const watch = new LeakWatch();
      watch.addToken(token(text));
      watch.observe('text', after);
      expect(watch.report()).toEqual([]);
    }),
  );
});
