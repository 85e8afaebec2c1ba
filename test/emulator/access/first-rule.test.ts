import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Access } from '../../../emulator/access/access.js';
import type { Permission } from '../../../src/contract/permissions.js';
import type { AccessRule as Rule } from '../../../src/contract/schemas/index.js';
import { container, permission, rule } from '../../support/access-rules.js';

const covers = (rule: { container: string }, container: string) => container.startsWith(rule.container);

test('decisions.md, Containers and access controls: the first rule that covers one container and grants decides', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 8 }),
      permission,
      fc.array(container, { minLength: 1, maxLength: 4 }),
      (rules, permission, containers) => {
        const access = new Access({ rules });
        const granting = rules
          .filter(({ permissions }) => permissions.includes(permission))
          .toSorted((a, b) => a.priority - b.priority);
        const first = granting.find((rule) => containers.some((container) => covers(rule, container)));
        expect(access.holds(permission)).toBe(granting.length > 0);
        expect(access.transform(permission, containers)).toBe(first?.transform);
        expect(access.grantedOnAll(permission, containers)).toBe(
          containers.every((container) => granting.some((rule) => covers(rule, container))),
        );
        expect(new Set(access.containers(permission))).toEqual(
          new Set(granting.map((rule) => rule.container)),
        );
      },
    ),
    { numRuns: 500 },
  );
});

const SHOWN = [undefined, 'redact', 'mask', 'reveal'];

test('decisions.md, The family as it is today: a session that shows more of any token than its authorizer is found', () => {
  const rules = fc.array(rule, { maxLength: 5 });
  fc.assert(
    fc.property(rules, rules, (held, granted) => {
      const [own, session] = [new Access({ rules: held }), new Access({ rules: granted })];
      const containers = [...held, ...granted].map(({ container }) => container);
      const tokens = containers.flatMap((a) => containers.flatMap((b) => containers.map((c) => [a, b, c])));
      const shows = (access: Access, permission: Permission, token: string[]) =>
        SHOWN.indexOf(access.transform(permission, token));
      const exceeds = (['token:read', 'token:use'] as const).some((permission) =>
        tokens.some((token) => shows(session, permission, token) > shows(own, permission, token)),
      );
      expect(own.findExcess(session) !== undefined).toBe(exceeds);
    }),
    { numRuns: 200 },
  );
});

test('each rule of a session and of its authorizer is looked up once to compare them, not once for each pair', () => {
  const redact = (_: unknown, priority: number): Rule => ({
    ...{ priority, container: `/a/${priority}/`, transform: 'redact', permissions: ['token:read'] },
  });
  const reveal = (container: string): Rule => ({ ...redact(0, 10_000), container, transform: 'reveal' });
  const own = new Access({ rules: [...Array.from({ length: 5_000 }, redact), reveal('/')] });
  const hidden = { ...redact(0, 0), container: '/a/' };
  const countLookups = (count: number): number => {
    const shown = Array.from({ length: count }, (_, index) => reveal(`/b/${index}/`));
    const session = new Access({ rules: [hidden, ...shown] });
    const get = vi.spyOn(Map.prototype, 'get');
    const excess = own.findExcess(session);
    const { length } = get.mock.calls;
    get.mockRestore();
    expect(excess).toBe(undefined);
    return length;
  };
  expect(countLookups(99)).toBeLessThan(2 * countLookups(1));
});
