import { expect, test } from 'vitest';
import { previewPlan } from '../../../../src/cli/reactors/apply/preview.js';
import { assemblePlan } from '../../../../src/cli/reactors/plan/plan.js';
import { built, failedBuild, reactor, remote } from '../plan/support.js';

const orphan = reactor({ name: 'old', id: 'orphan-id' });

test('a dry run reports what would be done, with the diff of each change', () => {
  const service = { ...remote({ charge: reactor({ code: 'old' }) }), orphans: [orphan] };
  const results = previewPlan(assemblePlan([built({ code: 'new' })], service));
  expect(results).toMatchObject([
    {
      name: 'charge',
      status: 'updated',
      remote: 'untouched',
      verified: false,
      diff: expect.stringContaining('+new'),
    },
    { name: 'old', status: 'deleted', id: 'orphan-id', remote: 'untouched', verified: false },
  ]);
});

test('an unchanged reactor is verified and has no diff', () => {
  const [result] = previewPlan(assemblePlan([built({})], remote({ charge: reactor({}) })));
  expect(result).toMatchObject({ status: 'unchanged', verified: true });
  expect(result).not.toHaveProperty('diff');
});

test('nothing would be deleted if a reactor failed', () => {
  const service = { ...remote({}), orphans: [orphan] };
  const results = previewPlan(assemblePlan([failedBuild(new Error('no'))], service));
  expect(results).toMatchObject([{ name: 'charge', status: 'failed', error: new Error('no') }]);
});
