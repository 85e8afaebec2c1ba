import type { Permission, Transform } from '../../../contract/permissions.js';
import type { AccessRule, Application } from '../../../contract/schemas/index.js';

/** How an application holds a permission. */
export interface Grant {
  /** How token data is shown; absent for what shows none. */
  transform?: Transform;
  /** The container of the rule that grants it; absent for a permission on all tokens. */
  container?: string;
}

/** Permissions under which the service shows token data. */
const SHOWING = new Set<string>(['token:create', 'token:read', 'token:update', 'token:search', 'token:use']);

/**
 * Returns how an application holds a permission on tokens in these containers (decisions.md, "Containers and access controls"):
 * of the rules, the first one by priority that covers one of them. `token:use` must be granted on each.
 * @param containers undefined: any, so that every rule with the permission counts
 */
export function grantsOf(
  { permissions, rules = [] }: Pick<Application, 'permissions' | 'rules'>,
  permission: Permission,
  containers: readonly string[] | undefined,
): Grant[] {
  if (permissions) return permissions.includes(permission) ? [tenantWide(permission)] : [];
  const granting = rules
    .filter((rule) => rule.permissions.includes(permission))
    .sort((a, b) => a.priority - b.priority);
  if (containers === undefined) return granting.map(toGrant);
  const covering = granting.filter((rule) => containers.some((container) => covers(rule, container)));
  const coversAll = containers.every((container) => covering.some((rule) => covers(rule, container)));
  if (permission === 'token:use' && !coversAll) return [];
  return covering.slice(0, 1).map(toGrant);
}

function tenantWide(permission: Permission): Grant {
  if (!SHOWING.has(permission)) return {};
  return { transform: permission === 'token:use' ? 'reveal' : 'mask' };
}

const toGrant = ({ container, transform }: AccessRule): Grant => ({ container, transform });

const covers = ({ container }: AccessRule, other: string): boolean =>
  other.toLowerCase().startsWith(container.toLowerCase());
