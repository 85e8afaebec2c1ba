import { inBackground } from '../../../client/client.js';
import { type ApiKeys, selectKey } from '../../../client/connection.js';
import { APPLICATION_TYPES } from '../../../contract/application-types.js';
import { type Permission, permissionsOfType } from '../../../contract/permissions.js';
import type { Context } from '../../command.js';
import { loginCommand, RESTART_EMULATOR, resolveKeys } from '../../config/keys.js';
import { keyVariables, type Settings } from '../../config/settings.js';
import type { Target } from '../../config/target.js';
import { permissionsOf } from '../../lib/key-owner.js';
import { shellQuote } from '../../lib/text.js';
import { describeKey, type KeyReport } from '../auth/status.js';
import { type CheckResult, passed, problem, type Results, warning } from './check.js';

/** @param checkPath a service without `/applications/key` looks like an address without any operation */
export async function* checkKeys(
  target: Target,
  wanted: readonly Permission[] | undefined,
  context: Context,
  checkPath: (key: string | undefined) => Promise<CheckResult | undefined>,
): Results {
  const { settings } = context;
  const keys = await resolveKeys(settings, target);
  const entries = Object.entries(keys).filter(([, key]) => key !== undefined);
  if (entries.length === 0) {
    const fix = 'tokenctl auth login, or set TOKENCTL_API_KEY';
    return yield problem('keys', 'unauthorized', 'there is no API key', fix);
  }
  const reports = await Promise.all(
    entries.map(([slot, key]) => describeKey(slot, key, context, inBackground)),
  );
  const unknown = reports.findIndex(({ valid, application }) => valid && !application);
  const elsewhere = unknown < 0 ? undefined : await checkPath(entries[unknown]?.[1]);
  if (elsewhere) return yield elsewhere;
  const results = [
    ...reports.map((report) => explainKey(report, target, settings)),
    ...explainEndedKeys(keys, target),
  ];
  yield* results;
  if (results.some(({ status }) => status === 'problem')) return;
  const ownerOf = (key: string | undefined) =>
    reports.find((_, at) => key !== undefined && entries[at]?.[1] === key)?.application;
  const owners = new Map(
    reports.flatMap(({ application }) => (application ? [[application.id, application]] : [])),
  );
  yield* wanted
    ? wanted.map((permission) => checkPermission(permission, ownerOf(selectKey(keys, permission))))
    : [...owners.values()].map(checkAllPermissions);
}

function explainKey({ key: slot, valid, application, error }: KeyReport, target: Target, settings: Settings) {
  const check = slot === 'any' ? 'key' : `${slot} key`;
  if (!valid)
    return problem(check, 'unauthorized', `the service rejects it: ${error}`, keyFix(slot, target, settings));
  if (!application) {
    const unknown = 'the service does not say which application it belongs to';
    return warning(check, unknown, 'Try it: tokenctl token list --limit 1');
  }
  const { name, type } = application;
  if (slot === 'any' || slot === type) return passed(check, `application ${name}, ${type}`);
  const fix = `tokenctl auth login, or set TOKENCTL_${type.toUpperCase()}_KEY`;
  return warning(check, `belongs to the application ${name}, which is of type ${type}`, fix);
}

function keyFix(slot: string, { name, keyCommand }: Target, { keyFile, env }: Settings): string {
  if (keyFile !== undefined) return `Replace the key in ${keyFile} (--key-file).`;
  const wanted = slot === 'any' ? 'TOKENCTL_API_KEY' : `TOKENCTL_${slot.toUpperCase()}_KEY`;
  if (keyVariables(env).includes(wanted))
    return `${wanted} is set to it: export a valid key, or use the stored ones: unset ${wanted}`;
  if (keyCommand !== undefined)
    return `Check what the key command prints: tokenctl profile show ${name ?? ''}`;
  return loginCommand(name);
}

/** Reports the keys of the seeded applications of an emulator that it no longer prints. */
function explainEndedKeys(keys: ApiKeys, { name }: Target): CheckResult[] {
  // A key from --key-file or TOKENCTL_API_KEY takes the place of all of them.
  if (name !== 'emulator' || keys.any !== undefined) return [];
  const ended = APPLICATION_TYPES.filter((type) => keys[type] === undefined);
  return ended.map((type) =>
    problem(`${type} key`, 'unauthorized', 'it was deleted or has expired', RESTART_EMULATOR),
  );
}

const CHECK = 'permissions';

type KeyOwner = NonNullable<KeyReport['application']>;

/** Checks that an application holds every permission that its type may hold: commands need all of them. */
function checkAllPermissions(owner: KeyOwner): CheckResult {
  const held = permissionsOf(owner);
  const missing = permissionsOfType(owner.type).filter((permission) => !held.has(permission));
  if (missing.length > 0) return explainMissing(owner, missing);
  const { name, permissions, rules = [] } = owner;
  const access = permissions
    ? `holds all ${permissions.length} permissions`
    : rules.map(({ container, transform }) => `${transform} on ${container}`).join(', ');
  return passed(CHECK, `${name}: ${access}`);
}

function checkPermission(permission: Permission, owner: KeyOwner | undefined): CheckResult {
  const without = `there is no key for operations that need ${permission}`;
  if (!owner) return problem(CHECK, 'unauthorized', without, 'tokenctl auth login');
  return permissionsOf(owner).has(permission)
    ? passed(CHECK, `${owner.name} holds ${permission}`)
    : explainMissing(owner, [permission]);
}

function explainMissing({ name, permissions }: KeyOwner, missing: readonly Permission[]): CheckResult {
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
