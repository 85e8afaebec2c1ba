import { expect, test } from 'vitest';
import { describeGainedAccess } from '../../../../src/cli/tenant-config/resources/access.js';
import type { Content } from '../../../../src/cli/tenant-config/resources/content.js';
import type { Permission, Transform } from '../../../../src/contract/permissions.js';

type Access = Pick<Content, 'permissions' | 'rules'>;

const permissions = (...names: Permission[]): Access => ({ permissions: names });

/** Rules in the order of their priority: container, transform, permissions. */
const rules = (...rows: [string, Transform, ...Permission[]][]): Access => ({
  rules: rows.map(([container, transform, ...names], priority) => ({
    priority,
    container,
    transform,
    permissions: names,
  })),
});

const gains = (before: Access, after: Access): string[] => {
  const application = { name: 'support', type: 'private' as const };
  return describeGainedAccess({ ...application, ...before }, { ...application, ...after });
};

test.each<[string, Access, Access, string[]]>([
  [
    'one more permission',
    permissions('token:create'),
    permissions('token:create', 'token:read'),
    ['grants token:read on all containers (mask)'],
  ],
  [
    'a permission that is not about tokens',
    permissions('reactor:read'),
    permissions('reactor:read', 'reactor:delete'),
    ['grants reactor:delete'],
  ],
  [
    'a permission that another one includes',
    permissions('token:use'),
    permissions('token:use', 'reactor:invoke'),
    [],
  ],
  [
    'a container in capital letters, which the service stores in small ones',
    rules(['/pci/', 'mask', 'token:read']),
    rules(['/PCI/', 'mask', 'token:read']),
    [],
  ],
  [
    'a wider container',
    rules(['/pci/high/', 'mask', 'token:read']),
    rules(['/pci/', 'mask', 'token:read']),
    ['grants token:read on /pci/ (mask)'],
  ],
  [
    'a transform that shows more',
    rules(['/pci/', 'mask', 'token:read']),
    rules(['/pci/', 'reveal', 'token:read']),
    ['token:read on /pci/ changes from mask to reveal'],
  ],
  [
    'the removal of a rule that restricted a part',
    rules(['/pci/', 'redact', 'token:read'], ['/', 'reveal', 'token:read']),
    rules(['/', 'reveal', 'token:read']),
    ['token:read on /pci/ changes from redact to reveal'],
  ],
  [
    'another order of the same rules',
    rules(['/pci/', 'redact', 'token:read'], ['/', 'reveal', 'token:read']),
    rules(['/', 'reveal', 'token:read'], ['/pci/', 'redact', 'token:read']),
    ['token:read on /pci/ changes from redact to reveal'],
  ],
  [
    'rules in place of permissions that show more',
    permissions('token:read'),
    rules(['/pci/', 'reveal', 'token:read']),
    ['token:read on /pci/ changes from mask to reveal'],
  ],
])('what weakens security: %s', (_what, before, after, expected) => {
  expect(gains(before, after)).toEqual(expected);
});

test.each<[string, Access, Access]>([
  ['fewer permissions', permissions('token:read', 'token:use'), permissions('token:read')],
  [
    'a narrower container',
    rules(['/', 'mask', 'token:read']),
    rules(['/pci/', 'mask', 'token:read'], ['/pii/', 'mask', 'token:read']),
  ],
  [
    'a rule that never decides',
    rules(['/', 'mask', 'token:read']),
    rules(['/', 'mask', 'token:read'], ['/pci/', 'reveal', 'token:read']),
  ],
  ['permissions as rules', permissions('token:use'), rules(['/', 'reveal', 'token:use'])],
])('what weakens security is not %s', (_what, before, after) => {
  expect(gains(before, after)).toEqual([]);
});
