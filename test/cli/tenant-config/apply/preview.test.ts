import { expect, test } from 'vitest';
import { previewPlan } from '../../../../src/cli/tenant-config/apply/result.js';
import { assemblePlan } from '../../../../src/cli/tenant-config/plan/plan.js';
import { declared, notValid, reactor, remote } from '../plan/support.js';

const orphans = [reactor({ name: 'old' }, { id: 'orphan-id' })];

test('a dry run reports what would be done, with the diff of each change', () => {
  const service = remote(reactor({ code: 'old' }), { orphans });
  expect(previewPlan(assemblePlan([declared({ code: 'new' })], service))).toMatchObject([
    {
      kind: 'reactor',
      name: 'charge',
      status: 'updated',
      remote: 'untouched',
      verified: false,
      diff: expect.stringContaining('+new'),
    },
    { name: 'old', status: 'deleted', id: 'orphan-id', remote: 'untouched', verified: false },
  ]);
});

test('an unchanged object is verified and has no diff', () => {
  const [result] = previewPlan(assemblePlan([declared({})], remote(reactor({}))));
  expect(result).toMatchObject({ status: 'unchanged', verified: true });
  expect(result).not.toHaveProperty('diff');
});

test('an object that could not be planned has its error', () => {
  const results = previewPlan(assemblePlan([notValid(new Error('no'))], remote()));
  expect(results).toMatchObject([{ name: 'charge', status: 'failed', error: new Error('no') }]);
});
