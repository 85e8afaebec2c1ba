import type { Permission, Transform } from '../../src/contract/permissions.js';
import { coveringContainers } from '../lib/containers.js';
import type { ApplicationRecord } from '../store/records.js';

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

function createTenantWideAccess(permissions: ReadonlySet<Permission>): Access {
  return {
    holds: (permission) => permissions.has(permission),
    transform: (permission) => (permissions.has(permission) ? implicitTransform(permission) : undefined),
    grantedOnAll: (permission) => permissions.has(permission),
    containers: (permission) => (permissions.has(permission) ? ['/'] : []),
  };
}

type Rule = NonNullable<ApplicationRecord['rules']>[number];

/** A rule that grants a permission, and its place by ascending priority. */
interface Grant {
  rank: number;
  transform: Transform;
}

/** Of the rules that grant a permission: by container, the first one. */
type Grants = Map<string, Grant>;

function indexGrants(rules: readonly Rule[]): Map<Permission, Grants> {
  const grants = new Map<Permission, Grants>();
  const ordered = rules.toSorted((a, b) => a.priority - b.priority);
  for (const [place, { container, transform, permissions }] of ordered.entries()) {
    for (const permission of permissions) {
      const granted = grants.get(permission) ?? new Map();
      grants.set(permission, granted);
      if (!granted.has(container)) granted.set(container, { place, transform });
    }
  }
  return grants;
}

/** Looked up by container, since both a token's containers and an application's rules may be many. */
function createRuleAccess(rules: readonly Rule[]): Access {
  const grants = indexGrants(rules);
  return {
    holds: (permission) => grants.has(permission),
    transform(permission, containers) {
      const granted = grants.get(permission);
      let first: Grant | undefined;
      for (const container of containers) {
        for (const above of coveringContainers(container)) {
          const grant = granted?.get(above);
          if (grant && (!first || grant.rank < first.rank)) first = grant;
        }
      }
      return first?.transform;
    },
    grantedOnAll(permission, containers) {
      const granted = grants.get(permission);
      const isGranted = (container: string) => granted?.has(container);
      return containers.every((container) => coveringContainers(container).some(isGranted));
    },
    containers: (permission) => [...(grants.get(permission)?.keys() ?? [])],
  };
}

/** An application has permissions, which hold tenant-wide, or rules. */
export function createAccess(application: Pick<ApplicationRecord, 'permissions' | 'rules'>): Access {
  return application.rules
    ? createRuleAccess(application.rules)
    : createTenantWideAccess(new Set(application.permissions));
}
