import { type ApiKeys, selectKey } from '../../../client/api-keys.js';
import { type Permission, permissionsOfType } from '../../../contract/permissions.js';
import { shellQuote } from '../../lib/shell-quote.js';
import { permissionsOf } from '../auth/keys.js';
import { type CheckResult, passed, problem } from './check.js';
import type { KeyOwner } from './keys.js';

const CHECK = 'permissions';

/** The applications of the keys, by the key. */
type KeyOwners = ReadonlyMap<string, KeyOwner>;

/** Checks that each application holds every permission that its type may hold: commands need all of them. */
export function checkAllPermissions(owners: KeyOwners): CheckResult[] {
  return [...new Set(owners.values())].map((owner) => {
    const held = permissionsOf(owner);
    const missing = permissionsOfType(owner.type).filter((permission) => !held.has(permission));
    return missing.length === 0
      ? passed(CHECK, `${owner.name}: ${describeAccess(owner)}`)
      : explainMissing(owner, missing);
  });
}

/** Checks that the key which the CLI would use holds each of the permissions. */
export function checkWanted(wanted: readonly Permission[], keys: ApiKeys, owners: KeyOwners): CheckResult[] {
  return wanted.map((permission) => {
    const owner = owners.get(selectKey(keys, permission) ?? '');
    if (!owner)
      return problem(
        CHECK,
        'unauthorized',
        `no key is for operations that need ${permission}`,
        'tokenctl auth login',
      );
    return permissionsOf(owner).has(permission)
      ? passed(CHECK, `${owner.name} holds ${permission}`)
      : explainMissing(owner, [permission]);
  });
}

function explainMissing(owner: KeyOwner, missing: readonly Permission[]): CheckResult {
  const { name, permissions } = owner;
  const application = shellQuote(name);
  const grant =
    permissions === undefined
      ? `add a rule: tokenctl application update ${application} --rules @rules.json`
      : `tokenctl application update ${application} --permission ${[...permissions, ...missing].join(',')}`;
  return problem(
    CHECK,
    'forbidden',
    `the application ${name} lacks ${missing.join(', ')}`,
    `Grant what is needed: ${grant}. If it is meant to be limited, check what you need: tokenctl doctor --permission ${missing[0]}`,
  );
}

/** Describes what an application may do: its permissions, or its rules. */
function describeAccess({ permissions, rules = [] }: KeyOwner): string {
  if (permissions) return `holds all ${permissions.length} permissions`;
  return rules.map(({ container, transform }) => `${transform} on ${container}`).join(', ');
}
