import { type ApiKeys, selectKey } from '../../../client/connection.js';
import type { TransportResponse } from '../../../client/transport.js';
import { APPLICATION_TYPES } from '../../../contract/application-types.js';
import { isObject, jsonOf } from '../../../contract/json.js';
import { type Permission, permissionsOfType } from '../../../contract/permissions.js';
import type { Application } from '../../../contract/schemas/index.js';
import { loginCommand, RESTART_EMULATOR } from '../../config/keys.js';
import { keyVariables } from '../../config/settings.js';
import type { Target } from '../../config/target.js';
import { shellQuote } from '../../lib/text.js';
import { permissionsOf } from '../auth/status.js';
import { type CheckResult, passed, problem, warning } from './check.js';
import { addressFix, explainNoResponse, isMissing, type Probe } from './connection.js';
import { explainUnavailable } from './identity.js';

/** The type of a key in the configuration; `any` is for every operation. */
export type KeySlot = keyof ApiKeys;

export type KeyOwner = Pick<Application, 'name' | 'type' | 'permissions' | 'rules'>;

interface CheckedKey {
  result: CheckResult;
  /** Absent if the key is rejected, or the service does not say. */
  owner?: KeyOwner;
}

const NOT_FOUND = 404;

export async function checkKey(slot: KeySlot, key: string, probe: Probe): Promise<CheckedKey> {
  const check = slot === 'any' ? 'key' : `${slot} key`;
  const response = await probe.get('/applications/key', key);
  if (isMissing(response)) return { result: await explainNoResponse(response, probe) };
  const owner = ownerOf(response);
  if (owner) return { owner, result: describeOwner(check, slot, owner) };
  if (response.status === 401) {
    const detail = `the service rejects it: ${detailOf(response)}`;
    return { result: problem(check, 'unauthorized', detail, keyFix(slot, probe)) };
  }
  const unavailable = explainUnavailable(response);
  if (unavailable) return { result: unavailable };
  if (response.status === NOT_FOUND && (await isWrongPath(key, probe))) return { result: explainPath(probe) };
  const unknown = 'the service does not say which application it belongs to';
  return { result: warning(check, unknown, 'Try it: tokenctl token list --limit 1') };
}

function ownerOf({ status, body }: TransportResponse): KeyOwner | undefined {
  const content = status === 200 ? jsonOf(body) : undefined;
  return isObject(content) && typeof content.name === 'string' && typeof content.type === 'string'
    ? (content as KeyOwner)
    : undefined;
}

function describeOwner(check: string, slot: KeySlot, { name, type }: KeyOwner): CheckResult {
  if (slot === 'any' || slot === type) return passed(check, `application ${name}, ${type}`);
  const fix = `tokenctl auth login, or set TOKENCTL_${type.toUpperCase()}_KEY`;
  return warning(check, `belongs to the application ${name}, which is of type ${type}`, fix);
}

function detailOf({ status, body }: TransportResponse): string {
  const content = jsonOf(body);
  return isObject(content) && typeof content.detail === 'string' ? content.detail : `status ${status}.`;
}

/** Returns how to replace a key, where it comes from. */
function keyFix(slot: KeySlot, { target, settings }: Probe): string {
  const { name, source, keyCommand } = target;
  const { keyFile, env } = settings;
  if (keyFile !== undefined) return `Replace the key in ${keyFile} (--key-file).`;
  const wanted = slot === 'any' ? 'TOKENCTL_API_KEY' : `TOKENCTL_${slot.toUpperCase()}_KEY`;
  if (keyVariables(env).includes(wanted))
    return `${wanted} holds it: export a valid key, or use the stored ones: unset ${wanted}`;
  if (keyCommand !== undefined)
    return `Check what the key command prints: tokenctl profile show ${name ?? ''}`;
  if (name === 'emulator') return RESTART_EMULATOR;
  return loginCommand(source);
}

/** Reports the keys of the seeded applications of an emulator that it no longer prints. */
export function explainEndedKeys(keys: ApiKeys, { name }: Target): CheckResult[] {
  // A key from --key-file or TOKENCTL_API_KEY takes the place of all of them.
  if (name !== 'emulator' || keys.any !== undefined) return [];
  const ended = APPLICATION_TYPES.filter((type) => keys[type] === undefined);
  return ended.map((type) =>
    problem(`${type} key`, 'unauthorized', 'it was deleted or has expired', RESTART_EMULATOR),
  );
}

/** Whether an operation of the specification is missing, too: `/applications/key` is an extension. */
async function isWrongPath(key: string, probe: Probe): Promise<boolean> {
  const response = await probe.get('/tokens?size=1', key);
  return !isMissing(response) && response.status === NOT_FOUND;
}

function explainPath(probe: Probe): CheckResult {
  const { baseUrl } = probe.target;
  const { origin, pathname } = new URL(baseUrl);
  // Without a path, the right one is not known.
  const fix = addressFix(probe, pathname === '/' ? undefined : origin);
  return problem('service', 'not_found', `${baseUrl} is not the base URL: it has no /tokens`, fix);
}

const CHECK = 'permissions';

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
    const without = `no key is for operations that need ${permission}`;
    if (!owner) return problem(CHECK, 'unauthorized', without, 'tokenctl auth login');
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

function describeAccess({ permissions, rules = [] }: KeyOwner): string {
  if (permissions) return `holds all ${permissions.length} permissions`;
  return rules.map(({ container, transform }) => `${transform} on ${container}`).join(', ');
}
