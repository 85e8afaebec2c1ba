import type { ApiKeys } from '../../client/connection.js';
import type { ApplicationType } from '../../contract/application-types.js';
import { CliError, usageError } from '../lib/errors.js';

const SERVICE = 'tokenctl';

/** Stores a key in the keyring: the Keychain of macOS, the Credential Manager of Windows, the Secret Service of Linux desktops. */
export async function storeKey(profile: string, type: ApplicationType, key: string): Promise<void> {
  const entry = await openEntry(profile, type);
  useKeyring(() => entry.setPassword(key));
}

/** Deletes keys of a profile from the keyring. A key that is no longer there is not an error. @throws {CliError} */
export async function deleteKeys(profile: string, types: readonly ApplicationType[]): Promise<void> {
  for (const type of types) {
    const entry = await openEntry(profile, type);
    useKeyring(() => entry.getPassword() !== null && entry.deletePassword());
  }
}

/** Reads keys of a profile. @throws {CliError} when the keyring cannot be read, or has none of a type */
export async function readKeys(profile: string, types: readonly ApplicationType[]): Promise<ApiKeys> {
  const keys: ApiKeys = {};
  for (const type of types) {
    const entry = await openEntry(profile, type);
    const key = useKeyring(() => entry.getPassword());
    if (key === null)
      throw new CliError('unauthorized', `The keyring has no ${type} key of the profile ${profile}.`, {
        hint: `Store it again: tokenctl auth login --keyring --profile ${profile}`,
      });
    keys[type] = key;
  }
  return keys;
}

async function openEntry(profile: string, type: ApplicationType) {
  const { Entry } = await importKeyring();
  return useKeyring(() => new Entry(SERVICE, `${profile}/${type}`));
}

/** The package has native parts, so it is installed only by those who use it. */
async function importKeyring() {
  try {
    return await import('@napi-rs/keyring');
  } catch {
    throw usageError(
      'Keys in the keyring of the system need the package @napi-rs/keyring, which is not installed.',
      'Install it where tokenctl is installed: npm install --global @napi-rs/keyring',
    );
  }
}

function useKeyring<T>(access: () => T): T {
  try {
    return access();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('failed', `The keyring of the system cannot be used: ${reason}.`, {
      hint: 'Unlock it, or use --key-command or --key-file.',
    });
  }
}
