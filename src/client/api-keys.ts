import type { ApplicationType } from '../contract/application-types.js';
import { PERMISSIONS, type Permission } from '../contract/permissions.js';

/** API keys by the type of their application; spec, Authentication, rule 4. */
export interface ApiKeys {
  management?: string | undefined;
  private?: string | undefined;
  public?: string | undefined;
  /** Used for an operation for which none of the others qualifies. */
  any?: string | undefined;
}

/** The order in which keys are tried: a private key may do everything that a public one may. */
const PREFERENCE = ['management', 'private', 'public'] as const;

/**
 * Selects the key for an operation by the application types that may hold its permission.
 * @param permission `null` for an operation that accepts any valid key.
 * @returns undefined when none of the keys qualifies.
 */
export function selectKey(keys: ApiKeys, permission: Permission | null): string | undefined {
  const types: readonly ApplicationType[] = permission === null ? PREFERENCE : PERMISSIONS[permission].types;
  for (const type of PREFERENCE) {
    const key = types.includes(type) ? keys[type] : undefined;
    if (key !== undefined) return key;
  }
  return keys.any;
}
