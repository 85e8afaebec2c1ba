import type { ApplicationType } from '../../src/contract/application-types.js';
import {
  coveringContainers,
  PERMISSION_NAMES,
  type Permission,
  permissionsOfType,
  type Transform,
  withoutId,
} from '../../src/contract/permissions.js';
import type { ApplicationRecord } from '../store/records.js';
import { Access } from './access.js';
import { type AccessCheck, explainCheck } from './explain-check.js';

type Rule = NonNullable<ApplicationRecord['rules']>[number];

/** The access that an application needed while it was recorded: permissions, or rules if it used tokens. */
export interface RecordedAccess {
  name: string;
  type: ApplicationType;
  permissions?: Permission[];
  rules?: Rule[];
}

/** Permissions whose transform decides how a response shows the token that was asked for. */
const SHOWING: readonly Permission[] = ['token:read', 'token:search'];

/** Priorities of recorded rules are multiples of it, so that others fit in between. */
const PRIORITY_STEP = 10;

interface Grant {
  permission: Permission;
  container: string;
  transform: Transform;
  /** Position of the rule that decided; a rule that came first in the application comes first in the recording. */
  rank: number;
}

class ApplicationRecorder {
  /** Checks that must be granted again, without repetitions. */
  readonly #needed = new Map<string, AccessCheck & { transform?: Transform }>();
  readonly #grants = new Map<string, Grant>();

  constructor(
    private readonly name: string,
    private readonly type: ApplicationType,
  ) {}

  add(check: AccessCheck, application: ApplicationRecord): void {
    // What a response shows beyond what was asked for is not refused without the permission.
    if (check.scope === 'response') return;
    // A session may do more than the application that opened it could.
    if (!permissionsOfType(this.type).includes(check.permission)) return;
    const { granted, transform, rules = [] } = explainCheck(check, application);
    if (!granted) return;
    const { scope, permission } = check;
    if (scope === 'operation' || scope === 'list') {
      this.#needed.set(`held ${permission}`, check);
      return;
    }
    const shows = SHOWING.includes(permission) && transform !== undefined;
    const key = `${scope} ${permission} ${shows ? transform : ''} ${check.containers.join(' ')}`;
    if (this.#needed.has(key)) return;
    this.#needed.set(key, shows ? { ...check, transform } : check);
    if (!shows) {
      for (const one of check.containers)
        this.#grant({ permission, container: withoutId(one), transform: 'redact', rank: rules.length });
      return;
    }
    const rank = rules.findIndex(({ outcome }) => outcome === 'decides');
    const covering = rules[rank]?.container ?? '/';
    const decisive = check.containers.find((one) => coveringContainers(one).includes(covering)) ?? '/';
    this.#grant({ permission, container: withoutId(decisive), transform, rank });
  }

  #grant(grant: Grant): void {
    this.#grants.set(`${grant.permission} ${grant.rank} ${grant.transform} ${grant.container}`, grant);
  }

  /** Returns the recorded access. Without any one permission of it, a check that was granted would be refused. */
  result(): RecordedAccess {
    const { name, type } = this;
    const needed = [...this.#needed.values()];
    const grants = [...this.#grants.values()].toSorted(
      (a, b) => a.rank - b.rank || compare(a.container, b.container),
    );
    const [first] = grants;
    if (!first) return { name, type, permissions: inOrder(needed.map(({ permission }) => permission)) };
    // Used without a token, for example for an empty list: any container will do.
    for (const { permission } of needed)
      if (!grants.some((grant) => grant.permission === permission)) grants.push({ ...first, permission });
    return { name, type, rules: toRules(withoutRedundant(grants, needed)) };
  }
}

/** Removes grants until each one that is left is needed; wide ones first. */
function withoutRedundant(
  grants: readonly Grant[],
  needed: readonly (AccessCheck & { transform?: Transform })[],
): Grant[] {
  let kept = [...grants];
  for (const grant of grants.toSorted((a, b) => a.container.length - b.container.length)) {
    const rest = kept.filter((one) => one !== grant);
    const access = new Access({
      rules: rest.map(({ permission, ...rule }, priority) => ({
        ...rule,
        priority,
        permissions: [permission],
      })),
    });
    const isGranted = (check: (typeof needed)[number]): boolean => {
      if (!('containers' in check)) return access.holds(check.permission);
      if (check.scope === 'every_container') return access.grantedOnAll(check.permission, check.containers);
      const transform = access.transform(check.permission, check.containers);
      return check.transform === undefined ? transform !== undefined : transform === check.transform;
    };
    if (needed.filter(({ permission }) => permission === grant.permission).every(isGranted)) kept = rest;
  }
  return kept;
}

/** Merges grants on one container to rules. The transform of those that show nothing does not matter, nor does their order. */
function toRules(grants: readonly Grant[]): Rule[] {
  const rules: { container: string; transform: Transform; permissions: Permission[] }[] = [];
  const [showing, others] = [true, false].map((shows) =>
    grants.filter(({ permission }) => SHOWING.includes(permission) === shows),
  ) as [Grant[], Grant[]];
  const merge = ({ container, transform, permission }: Grant, same: (typeof rules)[number] | undefined) => {
    if (same?.container === container) same.permissions.push(permission);
    else rules.push({ container, transform, permissions: [permission] });
  };
  for (const grant of showing) {
    const last = rules.at(-1);
    merge(grant, last?.transform === grant.transform ? last : undefined);
  }
  for (const grant of others)
    merge(
      grant,
      rules.find(({ container }) => container === grant.container),
    );
  return rules.map(({ permissions, ...rule }, index) => {
    return { priority: (index + 1) * PRIORITY_STEP, ...rule, permissions: inOrder(permissions) };
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const inOrder = (permissions: readonly Permission[]): Permission[] =>
  PERMISSION_NAMES.filter((name) => permissions.includes(name));

/** Records the access that calls needed, by application. Those of one name and type, in several tenants, count as one. */
export class AccessRecorder {
  readonly #applications = new Map<string, ApplicationRecorder>();

  add(check: AccessCheck, application: ApplicationRecord): void {
    const { name, type } = application;
    const key = `${type} ${name}`;
    const recorder = this.#applications.get(key) ?? new ApplicationRecorder(name, type);
    this.#applications.set(key, recorder);
    recorder.add(check, application);
  }

  /** Lists the applications that were granted anything, in the order of their first call. */
  result(): RecordedAccess[] {
    return [...this.#applications.values()]
      .map((recorder) => recorder.result())
      .filter(({ permissions, rules }) => (permissions ?? rules ?? []).length > 0);
  }
}
