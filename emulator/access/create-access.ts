import { coveringContainers, type Permission, type Transform } from '../../src/contract/permissions.js';
import type { ApplicationRecord } from '../store/records.js';

/** The permissions of an application; decisions.md, "Containers and access controls". */
export interface Access {
  /** Whether the application holds the permission on any container. */
  holds(permission: Permission): boolean;
  /**
   * Returns the transform of the first rule, by ascending priority, that grants the permission and covers one of the
   * containers of a token.
   * @returns undefined when no rule does: 403 on a single token, left out of a list
   */
  transform(permission: Permission, containers: readonly string[]): Transform | undefined;
  /** Whether the permission is granted on each of the containers, as `token:use` must be. */
  grantedOnAll(permission: Permission, containers: readonly string[]): boolean;
  /** Lists the containers that the permission is granted on. A grant covers all containers below; `/` covers all. */
  containers(permission: Permission): readonly string[];
}

/** The transform of a tenant-wide permission: reads show masked data, use gets the raw data. */
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

/** The transform of a rule that grants a permission, and the rank of the rule by ascending priority. */
interface Grant {
  rank: number;
  transform: Transform;
}

/** The first rule that grants a permission, by container. */
type Grants = Map<string, Grant>;

function indexGrants(rules: readonly Rule[]): Map<Permission, Grants> {
  const grants = new Map<Permission, Grants>();
  const ordered = rules.toSorted((a, b) => a.priority - b.priority);
  for (const [rank, { container, transform, permissions }] of ordered.entries()) {
    for (const permission of permissions) {
      const granted = grants.get(permission) ?? new Map();
      grants.set(permission, granted);
      if (!granted.has(container)) granted.set(container, { rank, transform });
    }
  }
  return grants;
}

/** Indexes the rules by container, since both tokens and applications may have many. */
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

/** Creates the access of an application, which has either tenant-wide permissions or rules. */
export function createAccess(application: Pick<ApplicationRecord, 'permissions' | 'rules'>): Access {
  return application.rules
    ? createRuleAccess(application.rules)
    : createTenantWideAccess(new Set(application.permissions));
}
