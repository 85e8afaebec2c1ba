import { describe, expect, test } from 'vitest';
import type { Declared } from '../../../../src/cli/tenant-config/declaration/declare.js';
import { assemblePlan } from '../../../../src/cli/tenant-config/plan/plan.js';
import { application, declared, notValid, remote } from './support.js';

const APPLICATION = '22222222-2222-4222-8222-222222222222';
const OTHER = '33333333-3333-4333-8333-333333333333';

function plan(object: Declared, service = remote()) {
  const [planned] = assemblePlan([object], service).objects;
  return planned;
}

describe('assemblePlan', () => {
  test.each([
    ['the files', notValid(new Error('not valid')), remote(), 'not valid'],
    ['the lookup', declared({}), remote(new Error('lookup')), 'lookup'],
    [
      'an unknown application',
      declared({ application: 'payments' }),
      remote(),
      'There is no application "payments".',
    ],
    [
      'an ambiguous application',
      declared({ application: 'payments' }),
      remote(undefined, {
        applications: [application('payments', APPLICATION), application('payments', OTHER)],
      }),
      `2 applications are named "payments": ${APPLICATION}, ${OTHER}.`,
    ],
  ])('an object fails with the error of %s', (_what, object, service, message) => {
    expect(plan(object, service)).toMatchObject({ action: 'fail', error: { message } });
  });

  test('adds the times of build and lookup', () => {
    expect(plan(declared({}))).toMatchObject({ durationMs: 3 });
  });
});
