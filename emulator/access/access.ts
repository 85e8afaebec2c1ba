import type { Permission, Transform } from '../../src/contract/permissions.js';
import type { ApplicationRecord } from '../store/records.js';
import { covers } from './containers.js';

/** What one application may do; decisions.md, "Containers and access controls". */
export interface Access {
  /** Whether the application holds the permission at all, on whatever containers. */
  holds(permission: Permission): boolean;
  /**
   * How data is shown to the application under the permission, for a token in these containers: the transform of the
   * first rule, by ascending priority, that grants the permission and covers one of them.
   * @returns undefined when no rule does: 403 on a single token, left out of a list.
   */
  transform(permission: Permission, containers: readonly string[]): Transform | undefined;
  /** Whether the permission is granted on every one of the containers, as `token:use` must be. */
  grantedOnAll(permission: Permission, containers: readonly string[]): boolean;
  /** The containers (with all below them) that the permission is granted on; `/` is everything. */
  containers(permission: Permission): readonly string[];
}

/** Tenant-wide permissions mask whatever they show; what is used is always the raw data. */
function implicitTransform(permission: Permission): Transform {
  return permission === 'token:use' ? 'reveal' : 'mask';
}

function tenantWide(permissions: ReadonlySet<Permission>): Access {
  return {
    holds: (permission) => permissions.has(permission),
    transform: (permission) => (permissions.has(permission) ? implicitTransform(permission) : undefined),
    grantedOnAll: (permission) => permissions.has(permission),
    containers: (permission) => (permissions.has(permission) ? ['/'] : []),
  };
}

function byRules(rules: NonNullable<ApplicationRecord['rules']>): Access {
  const ordered = rules.toSorted((a, b) => a.priority - b.priority);
  const granting = (permission: Permission) =>
    ordered.filter((rule) => rule.permissions.includes(permission));
  return {
    holds: (permission) => granting(permission).length > 0,
    transform: (permission, containers) =>
      granting(permission).find((rule) => containers.some((container) => covers(rule.container, container)))
        ?.transform,
    grantedOnAll(permission, containers) {
      const rules = granting(permission);
      return containers.every((container) => rules.some((rule) => covers(rule.container, container)));
    },
    containers: (permission) => granting(permission).map((rule) => rule.container),
  };
}

/** An application has permissions, which hold tenant-wide, or rules. */
export function accessOf(application: Pick<ApplicationRecord, 'permissions' | 'rules'>): Access {
  return application.rules ? byRules(application.rules) : tenantWide(new Set(application.permissions));
}
