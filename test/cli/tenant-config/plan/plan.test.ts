import { describe, expect, test } from 'vitest';
import type { Declared } from '../../../../src/cli/tenant-config/declaration/declare.js';
import { assemblePlan } from '../../../../src/cli/tenant-config/plan/plan.js';
import { application, declared, notValid, reactor, remote } from './support.js';

const APPLICATION = '22222222-2222-4222-8222-222222222222';
const OTHER = '33333333-3333-4333-8333-333333333333';

function plan(object: Declared, service = remote()) {
  const [planned] = assemblePlan([object], service).objects;
  return planned;
}

describe('assemblePlan', () => {
  test('creates an object that the service does not have', () => {
    expect(plan(declared({ code: 'new' }))).toMatchObject({
      action: 'create',
      before: undefined,
      desired: { name: 'charge', code: 'new', configuration: {}, application: null },
      changes: [{ field: 'code', change: 'added' }],
    });
  });

  test('updates an object that differs and keeps what the files do not set', () => {
    const before = reactor({ code: 'old', configuration: { KEY: 'value' }, application: APPLICATION });
    expect(plan(declared({ code: 'new' }), remote(before))).toMatchObject({
      action: 'update',
      before,
      desired: { code: 'new', configuration: { KEY: 'value' }, application: APPLICATION },
      changes: [{ field: 'code', change: 'changed' }],
    });
  });

  test('leaves an equal object unchanged', () => {
    const service = remote(reactor({ code: 'same' }));
    expect(plan(declared({ code: 'same' }), service)).toMatchObject({ action: 'unchanged', diff: '' });
  });

  test('refers to applications by name; null removes the reference', () => {
    const applications = [application('payments', APPLICATION)];
    const service = remote(reactor({ application: APPLICATION }), { applications });
    expect(plan(declared({ application: 'payments' }), service)).toMatchObject({ action: 'unchanged' });
    expect(plan(declared({ application: APPLICATION }), service)).toMatchObject({ action: 'unchanged' });
    expect(plan(declared({ application: null }), service)).toMatchObject({
      changes: [{ field: 'application', change: 'removed', before: 'payments' }],
    });
  });

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

  test('deletes orphans and forgets objects that no longer exist', () => {
    const orphan = reactor({ name: 'old' });
    const { deletions, forgotten } = assemblePlan(
      [],
      remote(undefined, { orphans: [orphan], gone: ['gone-id'] }),
    );
    expect(deletions).toEqual([{ action: 'delete', kind: 'reactor', name: 'old', before: orphan }]);
    expect(forgotten).toEqual(['gone-id']);
  });

  test('adds the times of build and lookup', () => {
    expect(plan(declared({}))).toMatchObject({ durationMs: 3 });
  });
});
