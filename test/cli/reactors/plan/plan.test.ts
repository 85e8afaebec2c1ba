import { describe, expect, test } from 'vitest';
import type { ReactorBuild } from '../../../../src/cli/reactors/build/build.js';
import { assemblePlan } from '../../../../src/cli/reactors/plan/plan.js';
import { built, failedBuild, reactor, remote } from './support.js';

function plan(build: ReactorBuild, service = remote({})) {
  const [planned] = assemblePlan([build], service).reactors;
  return planned;
}

describe('assemblePlan', () => {
  test('creates a reactor that the service does not have', () => {
    const planned = plan(built({ code: 'new' }));
    expect(planned).toMatchObject({
      action: 'create',
      before: undefined,
      desired: { name: 'charge', code: 'new', configuration: {}, application: null },
      changes: [{ field: 'code', change: 'added' }],
    });
  });

  test('updates a reactor that differs and keeps what the project does not set', () => {
    const before = reactor({ code: 'old', configuration: { KEY: 'value' }, application: { id: 'app' } });
    const planned = plan(built({ code: 'new' }), remote({ charge: before }));
    expect(planned).toMatchObject({
      action: 'update',
      before,
      desired: { code: 'new', configuration: { KEY: 'value' }, application: 'app' },
      changes: [{ field: 'code', change: 'changed' }],
    });
  });

  test('leaves an equal reactor unchanged', () => {
    const service = remote({ charge: reactor({ code: 'same' }) });
    expect(plan(built({ code: 'same' }), service)).toMatchObject({ action: 'unchanged', diff: '' });
  });

  test('resolves the application by name; null removes it', () => {
    const service = remote({ charge: reactor({ application: { id: 'old' } }) });
    const applications = new Map([['payments', { ok: true as const, value: 'new', durationMs: 0 }]]);
    expect(plan(built({ application: 'payments' }), { ...service, applications })).toMatchObject({
      desired: { application: 'new' },
    });
    expect(plan(built({ application: null }), service)).toMatchObject({ desired: { application: null } });
  });

  test.each([
    ['its build', failedBuild(new Error('build')), remote({}), 'build'],
    ['its lookup', built({}), remote({ charge: new Error('lookup') }), 'lookup'],
    [
      'the lookup of its application',
      built({ application: 'payments' }),
      {
        ...remote({}),
        applications: new Map([
          ['payments', { ok: false as const, error: new Error('application'), durationMs: 0 }],
        ]),
      },
      'application',
    ],
  ])('a reactor fails with the error of %s', (_what, build, service, message) => {
    expect(plan(build, service)).toMatchObject({ action: 'fail', error: new Error(message) });
  });

  test('deletes orphans and forgets reactors that no longer exist', () => {
    const orphan = reactor({ name: 'old' });
    const { deletions, forget } = assemblePlan([], { ...remote({}), orphans: [orphan], gone: ['gone-id'] });
    expect(deletions).toEqual([{ action: 'delete', before: orphan }]);
    expect(forget).toEqual(['gone-id']);
  });

  test('adds the times of build and lookup', () => {
    expect(plan(built({}))).toMatchObject({ durationMs: 3 });
  });
});
