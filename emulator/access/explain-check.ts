import type { AccessDecision } from '../../src/contract/control/access.js';
import type { RuleOutcome } from '../../src/contract/control/vocabulary.js';
import type { OperationId } from '../../src/contract/operations.js';
import { coveringContainers, type Permission, withoutId } from '../../src/contract/permissions.js';
import type { Condition } from '../store/condition.js';
import type { ApplicationRecord, TokenRecord } from '../store/records.js';
import { Access } from './access.js';

/** What an access check reads of a token; without `id` if the token does not exist yet. */
export type CheckedToken = Pick<TokenRecord, 'containers'> & Partial<Pick<TokenRecord, 'id'>>;

/** A permission that an operation needs; `operation` is absent for a request through a proxy. */
type OperationCheck = { scope: 'operation'; operation?: OperationId; permission: Permission };

export interface TokenCheck {
  scope: 'any_container' | 'every_container' | 'response';
  permission: Permission;
  containers: readonly string[];
  tokenIds: string[];
}

export interface ListCheck {
  scope: 'list';
  permission: Permission;
  /** The filters of the request, without what the application may see. */
  filters: readonly Condition<'tokens'>[];
}

/** One question put to the access controls of an application. It holds ids and containers, never data. */
export type AccessCheck = OperationCheck | TokenCheck | ListCheck;

const LISTED_RULES = 100;

type Rule = NonNullable<ApplicationRecord['rules']>[number];
type Controls = Pick<ApplicationRecord, 'permissions' | 'rules'>;

export function explainCheck(check: AccessCheck, controls: Controls): AccessDecision {
  const { scope, permission } = check;
  const access = new Access(controls);
  const containers = 'containers' in check ? [...check.containers] : undefined;
  const missing = (containers ?? []).filter((container) => !access.grantedOnAll(permission, [container]));
  const transform = containers && access.transform(permission, containers);
  const granted =
    scope === 'every_container'
      ? missing.length === 0
      : containers
        ? transform !== undefined
        : access.holds(permission);
  const decision: AccessDecision = { scope, permission, granted };
  if ('operation' in check) decision.operation = check.operation;
  if (containers) decision.containers = containers.map(withoutId);
  if ('tokenIds' in check && check.tokenIds.length > 0) decision.token_ids = check.tokenIds;
  if (containers && !granted) decision.missing_on = missing.map(withoutId);
  // Checks on every container decide whether, not how: what is used is the raw data, what is created is shown masked.
  if (transform && scope !== 'every_container') decision.transform = transform;
  if (controls.rules) decision.rules = tryRules(controls.rules, check);
  return decision;
}

function tryRules(rules: readonly Rule[], check: AccessCheck): NonNullable<AccessDecision['rules']> {
  const ordered = rules.toSorted((a, b) => a.priority - b.priority);
  const stopsAtFirst = check.scope === 'any_container' || check.scope === 'response';
  let decided = false;
  const tried = ordered.map((rule) => {
    const outcome = decided ? 'not_reached' : outcomeOf(rule, check);
    if (!stopsAtFirst || outcome !== 'grants') return { ...rule, outcome };
    decided = true;
    return { ...rule, outcome: 'decides' as const };
  });
  if (tried.length <= LISTED_RULES) return tried;
  // Those that grant explain a decision best, then those that fail for the permission alone.
  const relevant = tried.filter(({ outcome }) => outcome !== 'other_container' && outcome !== 'not_reached');
  return relevant.slice(0, LISTED_RULES);
}

function outcomeOf({ container, permissions }: Rule, check: AccessCheck): RuleOutcome {
  if ('containers' in check && !check.containers.some((one) => coveringContainers(one).includes(container)))
    return 'other_container';
  return permissions.includes(check.permission) ? 'grants' : 'lacks_permission';
}
