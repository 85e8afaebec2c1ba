import { describe, expect, test } from 'vitest';
import type { ApplicationRow } from '../../../../src/cli/manifest/schema.js';
import { declareRows } from '../../../../src/cli/tenant-config/declaration/declare.js';
import { assemblePlan } from '../../../../src/cli/tenant-config/plan/plan.js';
import { application, remote } from '../plan/support.js';

const ID = '22222222-2222-4222-8222-222222222222';

/** Plans the application `shop`, which the service has as a private one if `exists`. */
function planOf(row: Omit<ApplicationRow, 'name'>, exists = false) {
  const service = remote(undefined, { applications: exists ? [application('shop', ID)] : [] });
  return assemblePlan(declareRows('application', [{ name: 'shop', ...row }]), service).objects[0];
}

const rule = { priority: 1, container: '/', transform: 'mask' as const };

describe('a declared application', () => {
  test.each<[string, Omit<ApplicationRow, 'name'>, boolean, string]>([
    ['permissions', { type: 'public', permissions: ['token:create', 'token:read'] }, false, 'public'],
    ['rules', { type: 'public', rules: [{ ...rule, permissions: ['token:read'] }] }, false, 'public'],
    ['permissions, with the type that the service has', { permissions: ['reactor:create'] }, true, 'private'],
  ])('cannot have %s that its type may not hold', (_what, row, exists, type) => {
    const refused = type === 'public' ? 'token:read' : 'reactor:create';
    expect(planOf(row, exists)).toMatchObject({
      action: 'fail',
      error: { message: `The ${type} application "shop" cannot have ${refused}.` },
    });
  });

  test('has those that its type may hold', () => {
    expect(planOf({ type: 'private', permissions: ['token:read'] })).toMatchObject({ action: 'create' });
  });
});
