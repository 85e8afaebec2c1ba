import { TRANSFORMS, type Transform } from '../../../contract/permissions.js';
import type { ApplicationContent } from './content.js';

/** How permissions without rules show data; decided, Containers and access controls. */
const implicitTransform = (permission: string): Transform => (permission === 'token:use' ? 'reveal' : 'mask');

interface Grant {
  container: string;
  transform: Transform;
  permissions: readonly string[];
}

/** Lists what an application may do, the first grant that covers a container and holds a permission decides. */
function listGrants({ permissions = [], rules }: ApplicationContent): Grant[] {
  if (rules) return [...rules].sort((one, other) => one.priority - other.priority);
  return permissions.map((permission) => ({
    container: '/',
    transform: implicitTransform(permission),
    permissions: [permission],
  }));
}

/** Returns how a permission shows data of a container: an index of TRANSFORMS, or -1 if it is not granted. */
function rankAccess(grants: readonly Grant[], container: string, permission: string): number {
  const grant = grants.find(
    (one) => container.startsWith(one.container) && one.permissions.includes(permission),
  );
  return grant ? TRANSFORMS.indexOf(grant.transform) : -1;
}

const describeRank = (rank: number): string => (rank < 0 ? 'no access' : (TRANSFORMS[rank] ?? ''));

/** Permissions that do not concern tokens have no container and no transform. */
const concernsTokens = (permission: string): boolean => permission.startsWith('token:');

function describeGain(permission: string, container: string, before: number, after: number): string {
  if (!concernsTokens(permission)) return `grants ${permission}`;
  const where = container === '/' ? 'all containers' : container;
  if (before < 0) return `grants ${permission} on ${where} (${describeRank(after)})`;
  return `${permission} on ${where} changes from ${describeRank(before)} to ${describeRank(after)}`;
}

/**
 * Describes what an application may do after a change and could not do before: more permissions, a wider container, a
 * transform that shows more. Access only differs at the containers that rules name, so those are compared.
 */
export function describeGainedAccess(before: ApplicationContent, after: ApplicationContent): string[] {
  const [old, now] = [listGrants(before), listGrants(after)];
  const all = [...old, ...now];
  const containers = [...new Set(['/', ...all.map(({ container }) => container)])].sort();
  const permissions = [...new Set(all.flatMap((grant) => grant.permissions))];
  return permissions.flatMap((permission) => {
    const gains = containers
      .map((container) => ({
        container,
        before: rankAccess(old, container, permission),
        after: rankAccess(now, container, permission),
      }))
      .filter((access) => access.after > access.before);
    // A gain on a container is implied by the same gain on one that contains it.
    const widest = gains.filter(
      (gain) =>
        !gains.some(
          (other) =>
            other !== gain &&
            gain.container.startsWith(other.container) &&
            other.before === gain.before &&
            other.after === gain.after,
        ),
    );
    return widest.map((gain) => describeGain(permission, gain.container, gain.before, gain.after));
  });
}
