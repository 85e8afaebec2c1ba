import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { signBody } from '../../../../emulator/services/webhooks/send.js';

it('a signature is t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">', () => {
  const hmac = createHmac('sha256', 'secret').update('1767225600.{}').digest('hex');
  expect(signBody('{}', 'secret', 1_767_225_600_999)).toBe(`t=1767225600,v1=${hmac}`);
});
