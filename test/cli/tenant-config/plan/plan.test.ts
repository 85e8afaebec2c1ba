import { expect, test } from 'vitest';
import type { ApplicationRow } from '../../../../src/cli/manifest/schema.js';
import { type Declared, declareRows } from '../../../../src/cli/tenant-config/declaration/declare.js';
import { assemblePlan } from '../../../../src/cli/tenant-config/plan/plan.js';
import { application, declared, notValid, remote } from './support.js';

const APPLICATION = '22222222-2222-4222-8222-222222222222';
const OTHER = '33333333-3333-4333-8333-333333333333';

function plan(object: Declared, service = remote()) {
  const [planned] = assemblePlan([object], service).objects;
  return planned;
}

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
])('assemblePlan: an object fails with the error of %s', (what, object, service, message) => {
  // Only what is wrong in the files keeps an apply from changing anything.
  const isLocal = what === 'the files';
  expect(plan(object, service)).toMatchObject({ action: 'fail', isLocal, error: { message } });
});

test('assemblePlan adds the times of build and lookup', () => {
  expect(plan(declared({}))).toMatchObject({ durationMs: 3 });
});

const ID = '22222222-2222-4222-8222-222222222222';

/** Plans the application `shop`, which the service has as a private one if `exists`. */
function planOf(row: Omit<ApplicationRow, 'name'>, exists = false) {
  const service = remote(undefined, { applications: exists ? [application('shop', ID)] : [] });
  return assemblePlan(declareRows('application', [{ name: 'shop', ...row }]), service).objects[0];
}

const rule = { priority: 1, container: '/', transform: 'mask' as const };

test.each<[string, Omit<ApplicationRow, 'name'>, boolean, string]>([
  ['permissions', { type: 'public', permissions: ['token:create', 'token:read'] }, false, 'public'],
  ['rules', { type: 'public', rules: [{ ...rule, permissions: ['token:read'] }] }, false, 'public'],
  ['permissions, with the type that the service has', { permissions: ['reactor:create'] }, true, 'private'],
])('a declared application cannot have %s that its type may not hold', (_what, row, exists, type) => {
  const refused = type === 'public' ? 'token:read' : 'reactor:create';
  expect(planOf(row, exists)).toMatchObject({
    action: 'fail',
    error: { message: `The ${type} application "shop" cannot have ${refused}.` },
  });
});

test('a declared application has those that its type may hold', () => {
  expect(planOf({ type: 'private', permissions: ['token:read'] })).toMatchObject({ action: 'create' });
});
