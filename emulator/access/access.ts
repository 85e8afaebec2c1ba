import {
  coveringContainers,
  type Permission,
  TRANSFORMS,
  type Transform,
  withIncluded,
} from '../../src/contract/permissions.js';
import type { ApplicationRecord } from '../store/records.js';

type Rule = NonNullable<ApplicationRecord['rules']>[number];

/** The transform of a rule that grants a permission, and the rank of the rule by ascending priority. */
type Grant = { rank: number; transform: Transform };

/** What an application may do (decisions.md, "Containers and access controls"). */
export class Access {
  /** The first rule that grants a permission, by container, since both tokens and applications may have many. */
  readonly #grants = new Map<Permission, Map<string, Grant>>();

  constructor({ permissions = [], rules }: Pick<ApplicationRecord, 'permissions' | 'rules'>) {
    const ordered = rules?.toSorted((a, b) => a.priority - b.priority) ?? permissions.map(tenantWideRule);
    for (const [rank, { container, transform, permissions }] of ordered.entries())
      for (const permission of withIncluded(permissions)) {
        const granted = this.#grants.get(permission) ?? new Map<string, Grant>();
        this.#grants.set(permission, granted);
        if (!granted.has(container)) granted.set(container, { rank, transform });
      }
  }

  holds(permission: Permission): boolean {
    return this.#grants.has(permission);
  }

  /** Returns the transform of the first rule that grants a permission on a container; undefined when none does. */
  transform(permission: Permission, containers: readonly string[]): Transform | undefined {
    return this.#find(permission, containers)?.transform;
  }

  #find(permission: Permission, containers: readonly string[]): Grant | undefined {
    const granted = this.#grants.get(permission);
    if (!granted) return undefined;
    // Most applications may do what they may on all containers.
    const everywhere = granted.size === 1 && granted.get('/');
    if (everywhere) return everywhere;
    let found: Grant | undefined;
    for (const container of containers)
      for (const above of coveringContainers(container)) found = first(found, granted.get(above));
    return found;
  }

  grantedOnAll(permission: Permission, containers: readonly string[]): boolean {
    const granted = this.#grants.get(permission);
    const isGranted = (container: string) => granted?.has(container);
    if (isGranted('/')) return true;
    return containers.every((container) => coveringContainers(container).some(isGranted));
  }

  /** Returns a grant by which another access allows, or shows, more of some token. Two containers make any difference. */
  findExcess(other: Access): { permission: Permission; container: string; transform: Transform } | undefined {
    for (const [permission, granted] of other.#grants) {
      const decisions = (container: string): (Grant | undefined)[] => [
        other.#find(permission, [container]),
        this.#find(permission, [container]),
      ];
      // Each is looked up once, since both may have many.
      const own = [...(this.#grants.get(permission)?.keys() ?? [])].map(decisions);
      for (const [container, { transform }] of granted) {
        const [theirs, allowed] = decisions(container);
        const exceeds = [[], ...own].some(
          ([second, own]) => strength(first(theirs, second)) > strength(first(allowed, own)),
        );
        if (exceeds) return { permission, container, transform };
      }
    }
    return undefined;
  }

  /** Lists the containers that the permission is granted on. A grant covers all containers below; `/` covers all. */
  containers(permission: Permission): readonly string[] {
    return [...(this.#grants.get(permission)?.keys() ?? [])];
  }
}

/** Returns the one of two grants that decides. */
const first = (one: Grant | undefined, other: Grant | undefined): Grant | undefined =>
  !one || (other && other.rank < one.rank) ? other : one;

/** Orders grants by what they show; least, none at all. */
const strength = (grant: Grant | undefined): number => (grant ? TRANSFORMS.indexOf(grant.transform) : -1);

/** A permission without a rule: reads show masked data, use gets the raw data. */
function tenantWideRule(permission: Permission): Pick<Rule, 'container' | 'transform' | 'permissions'> {
  const transform = permission === 'token:use' ? 'reveal' : 'mask';
  return { container: '/', transform, permissions: [permission] };
}
