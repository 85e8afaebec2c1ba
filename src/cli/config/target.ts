import { resolve } from 'node:path';
import { type ApiKeys, selectKey } from '../../client/api-keys.js';
import { PERMISSIONS, type Permission } from '../../contract/permissions.js';
import { CliError, usageError } from '../lib/errors.js';
import { readTextFile } from '../lib/text-file.js';
import { readProjectTarget } from './project-file.js';
import type { Settings } from './settings.js';
import { readRunningState } from './state-file.js';
import { type Profile, readUserConfig } from './user-config.js';

/** The service to use and the keys for it. */
export interface Target {
  baseUrl: string;
  /** What selected it, for messages: `--base-url`, `profile dev`, `the emulator on /…`. */
  source: string;
  headerPrefix: string | undefined;
  keys: ApiKeys;
}

const TARGET_HINT =
  'Set --base-url URL (TOKENCTL_BASE_URL), choose a profile with --profile NAME (tokenctl profile add NAME --base-url URL), or start the emulator: tokenctl emulator start.';

/** Validates a base URL and removes trailing slashes. @throws {CliError} when it is not an http or https URL */
export function validateBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw usageError(
      `${source} must be an http or https URL without a query, such as https://api.example.com.`,
    );
  if (url.username || url.password)
    throw usageError(
      `${source} must not contain credentials. ApiKeys come from the environment or a profile.`,
    );
  return url.href.replace(/\/+$/, '');
}

async function namedProfile(settings: Settings, name: string, source: string): Promise<Profile> {
  const { profiles } = await readUserConfig(settings.configDir);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  const known = Object.keys(profiles);
  throw usageError(
    `The profile ${JSON.stringify(name)} does not exist (${source}).`,
    known.length > 0
      ? `Existing profiles: ${known.join(', ')}.`
      : `Add it: tokenctl profile add ${name} --base-url URL`,
  );
}

function profileTarget(profile: Profile, name: string): Target {
  return {
    baseUrl: validateBaseUrl(profile.base_url, `base_url of the profile ${name}`),
    source: `profile ${name}`,
    headerPrefix: profile.header_prefix,
    keys: profile.keys ?? {},
  };
}

/** Resolves a target when no base URL is given: a profile, the project file, or the emulator of this directory. */
async function indirectTarget(settings: Settings): Promise<Target | undefined> {
  if (settings.profile !== undefined)
    return profileTarget(
      await namedProfile(settings, settings.profile, settings.profileSource),
      settings.profile,
    );
  const project = await readProjectTarget(settings.cwd);
  if (project?.baseUrl !== undefined) {
    const baseUrl = validateBaseUrl(project.baseUrl, `base_url in ${project.path}`);
    return withKeysOf(baseUrl, project.path, await knownTargets(settings));
  }
  if (project?.profile !== undefined)
    return profileTarget(await namedProfile(settings, project.profile, project.path), project.profile);
  const { current } = await readUserConfig(settings.configDir);
  if (current !== undefined)
    return profileTarget(await namedProfile(settings, current, 'the current profile'), current);
  return emulatorTarget(settings);
}

async function emulatorTarget(settings: Settings): Promise<Target | undefined> {
  const state = await readRunningState(settings);
  if (!state) return undefined;
  return {
    baseUrl: state.base_url,
    source: `the emulator on ${state.data_dir}`,
    headerPrefix: state.header_prefix,
    keys: state.keys ?? {},
  };
}

/** Lists the targets with keys: all profiles, the current one first, and the emulator of this directory. */
async function knownTargets(settings: Settings): Promise<Target[]> {
  const { current, profiles } = await readUserConfig(settings.configDir);
  const names = Object.keys(profiles).sort((a, b) => Number(b === current) - Number(a === current));
  const targets = names.map((name) => profileTarget(profiles[name] as Profile, name));
  const emulator = await emulatorTarget(settings);
  return emulator ? [...targets, emulator] : targets;
}

/** Adds the keys of the known target with the same base URL, since a key is sent only to the service it belongs to. */
function withKeysOf(baseUrl: string, source: string, targets: readonly Target[]): Target {
  const match = targets.find((target) => target.baseUrl === baseUrl);
  return { baseUrl, source, headerPrefix: match?.headerPrefix, keys: match?.keys ?? {} };
}

/**
 * Resolves the target: `--base-url`, `TOKENCTL_BASE_URL`, a profile (flag, environment, project file, the current one),
 * or the emulator that runs for this directory, in this order.
 * @throws {CliError} when no target is configured
 */
export async function resolveTarget(settings: Settings): Promise<Target> {
  if (settings.baseUrl === undefined) {
    const target = await indirectTarget(settings);
    if (!target) throw usageError('No target service is configured.', TARGET_HINT);
    return target;
  }
  const baseUrl = validateBaseUrl(settings.baseUrl, settings.baseUrlSource);
  // A profile that is named together with a base URL provides the keys.
  if (settings.profile !== undefined) {
    const profile = await namedProfile(settings, settings.profile, settings.profileSource);
    return { ...profileTarget(profile, settings.profile), baseUrl, source: settings.baseUrlSource };
  }
  return withKeysOf(baseUrl, settings.baseUrlSource, await knownTargets(settings));
}

/** Resolves the keys: `--key-file`, the environment, or those of the target, in this order. */
export async function resolveKeys(settings: Settings, target: Pick<Target, 'keys'>): Promise<ApiKeys> {
  if (settings.keyFile !== undefined) return { any: await readKeyFile(settings.cwd, settings.keyFile) };
  const { any, management, private: privateKey } = settings.keys;
  // TOKENCTL_API_KEY is for every operation, so it must not be mixed with keys of the target.
  if (any !== undefined) return { any, management, private: privateKey };
  return {
    ...target.keys,
    ...(management !== undefined && { management }),
    ...(privateKey !== undefined && { private: privateKey }),
  };
}

/** Reads the API key in a `--key-file`. @throws {CliError} when it cannot be read or contains anything else */
export async function readKeyFile(cwd: string, path: string): Promise<string> {
  const key = (await readTextFile(resolve(cwd, path), `--key-file ${path}`)).trim();
  if (key === '' || /\s/.test(key))
    throw usageError(`--key-file ${path} must contain one key and nothing else.`);
  return key;
}

/** Returns the key for an operation with this permission. @throws {CliError} when there is none */
export function requiredKey(keys: ApiKeys, permission: Permission | null, source: string): string {
  const key = selectKey(keys, permission);
  if (key !== undefined) return key;
  const type =
    permission === null
      ? 'any'
      : PERMISSIONS[permission].types.includes('private' as never)
        ? 'private'
        : 'management';
  throw new CliError(
    'unauthorized',
    permission === null
      ? `There is no API key for ${source}.`
      : `There is no ${type} key for ${source}; the operation needs ${permission}.`,
    {
      hint: `Set TOKENCTL_API_KEY${type === 'any' ? '' : ` or TOKENCTL_${type.toUpperCase()}_KEY`}, use --key-file FILE, or run: tokenctl auth login`,
    },
  );
}
