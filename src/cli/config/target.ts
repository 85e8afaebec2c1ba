import { resolve } from 'node:path';
import { type ApiKeys, selectKey } from '../../client/api-keys.js';
import { isLoopback } from '../../client/transport.js';
import { type ApplicationType, PERMISSIONS, type Permission } from '../../contract/permissions.js';
import { CliError, usageError } from '../lib/errors.js';
import { readTextFile } from '../lib/text-file.js';
import { readProjectTarget } from './project-file.js';
import type { Settings } from './settings.js';
import { describeDistrusted, readRunningState, resolveDataDir } from './state-file.js';
import { type Profile, readUserConfig } from './user-config.js';

/** The service to use and the keys for it. */
export interface Target {
  baseUrl: string;
  /** What selected it, for messages: `--base-url`, `profile dev`, `the emulator on /…`. */
  source: string;
  /** What prompts and notices call it in front of its address: the name of a profile, `emulator`. */
  name?: string | undefined;
  headerPrefix: string | undefined;
  keys: ApiKeys;
  /** The keys of the profile `name` that are in the keyring of the system. */
  keyring?: readonly ApplicationType[] | undefined;
  /** A shell command that prints the key for every operation; used instead of `keys`. */
  keyCommand?: string | undefined;
  /** Commands that write ask first. */
  protected: boolean;
  /** Whether keys in the environment may be sent to it. */
  acceptsEnvironmentKeys: boolean;
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
      `${source} must not contain credentials. API keys come from the environment or a profile.`,
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
    name,
    headerPrefix: profile.header_prefix,
    keys: profile.keys ?? {},
    ...(profile.keyring !== undefined && { keyring: profile.keyring }),
    ...(profile.key_command !== undefined && { keyCommand: profile.key_command }),
    protected: profile.protected === true,
    acceptsEnvironmentKeys: true,
  };
}

/** Resolves the profile with this name. @throws {CliError} when it does not exist */
async function resolveProfile(settings: Settings, name: string, source: string): Promise<Target> {
  return profileTarget(await namedProfile(settings, name, source), name);
}

/** Resolves the target that the project file names. */
async function projectTarget(settings: Settings): Promise<Target | undefined> {
  const project = await readProjectTarget(settings.cwd, settings.environment);
  if (project?.baseUrl !== undefined) {
    const baseUrl = validateBaseUrl(project.baseUrl, `base_url in ${project.path}`);
    const profiles = await profileTargets(settings);
    const target = withKeysOf(baseUrl, project.path, await addEmulator(profiles, settings));
    // Whoever wrote the project file must not receive the keys of whoever uses it.
    const acceptsEnvironmentKeys = profiles.some((profile) => profile.baseUrl === baseUrl);
    return { ...target, acceptsEnvironmentKeys };
  }
  if (project?.profile !== undefined) return resolveProfile(settings, project.profile, project.path);
  return undefined;
}

async function emulatorTarget(settings: Settings): Promise<Target | undefined> {
  const state = await readRunningState(settings);
  if (!state) return undefined;
  return {
    baseUrl: state.base_url,
    source: `the emulator on ${state.data_dir}`,
    name: 'emulator',
    headerPrefix: state.header_prefix,
    keys: state.keys ?? {},
    protected: false,
    acceptsEnvironmentKeys: true,
  };
}

/** Resolves the emulator of `--data-dir`. @throws {CliError} when none is running there */
async function requiredEmulator(settings: Settings): Promise<Target> {
  const target = await emulatorTarget(settings);
  if (target) return target;
  throw usageError(
    (await describeDistrusted(settings)) ?? `No emulator is running on ${resolveDataDir(settings)}.`,
    'Start it with `tokenctl emulator start`, or use --local.',
  );
}

async function currentProfile(settings: Settings): Promise<Target | undefined> {
  const { current } = await readUserConfig(settings.configDir);
  return current === undefined ? undefined : resolveProfile(settings, current, 'the current profile');
}

/** Lists the profiles as targets, the current one first. */
async function profileTargets(settings: Settings): Promise<Target[]> {
  const { current, profiles } = await readUserConfig(settings.configDir);
  const names = Object.keys(profiles).sort((a, b) => Number(b === current) - Number(a === current));
  return names.map((name) => profileTarget(profiles[name] as Profile, name));
}

async function addEmulator(targets: readonly Target[], settings: Settings): Promise<Target[]> {
  const emulator = await emulatorTarget(settings);
  return emulator ? [...targets, emulator] : [...targets];
}

/** Adds what is known about a base URL, since a key is sent only to the service it belongs to. */
function withKeysOf(baseUrl: string, source: string, targets: readonly Target[]): Target {
  const match = targets.find((target) => target.baseUrl === baseUrl);
  const unknown = { headerPrefix: undefined, keys: {}, protected: false, acceptsEnvironmentKeys: true };
  return { ...(match ?? unknown), baseUrl, source };
}

/** Resolves the target of `--base-url` or `TOKENCTL_BASE_URL`. */
async function explicitTarget(settings: Settings, text: string): Promise<Target> {
  const baseUrl = validateBaseUrl(text, settings.baseUrlSource);
  // A profile that is named together with a base URL provides the keys.
  if (settings.profile !== undefined) {
    const target = await resolveProfile(settings, settings.profile, settings.profileSource);
    return { ...target, baseUrl, source: settings.baseUrlSource };
  }
  const known = await addEmulator(await profileTargets(settings), settings);
  return withKeysOf(baseUrl, settings.baseUrlSource, known);
}

/**
 * Resolves the target: `--base-url`, `TOKENCTL_BASE_URL`, a named profile, `--data-dir`, the project file, the emulator
 * that runs for this directory, or the current profile, in this order (cli.md, Target and credentials).
 * @param warn reports a state file that is skipped because it is not trusted
 * @throws {CliError} when no target is configured
 */
export async function resolveTarget(
  settings: Settings,
  warn: (text: string) => void = () => {},
): Promise<Target> {
  if (settings.baseUrl !== undefined) return explicitTarget(settings, settings.baseUrl);
  if (settings.profile !== undefined)
    return resolveProfile(settings, settings.profile, settings.profileSource);
  if (settings.dataDirFlag !== undefined) return requiredEmulator(settings);
  const project = await projectTarget(settings);
  if (project) return project;
  const emulator = await emulatorTarget(settings);
  if (emulator) return emulator;
  const distrusted = await describeDistrusted(settings);
  if (distrusted !== undefined) warn(distrusted);
  const current = await currentProfile(settings);
  if (current) return current;
  throw usageError('No target service is configured.', TARGET_HINT);
}

/** Whether `--local` selects the target: a base URL or a profile takes precedence over it. */
export function isLocalTarget({ local, baseUrl, profile }: Settings): boolean {
  return local && baseUrl === undefined && profile === undefined;
}

/** Refuses to send keys where others on the network can read them. @throws {CliError} */
export function assertEncrypted(baseUrl: string, { insecure }: Settings): void {
  if (insecure || !isExposed(baseUrl)) return;
  throw usageError(
    `The connection to ${baseUrl} is not encrypted, so the API key would be sent in plain text.`,
    'Use https, or allow it with --insecure.',
  );
}

/** Reports whether keys would be sent over a network without encryption. */
export function isExposed(baseUrl: string): boolean {
  return baseUrl.startsWith('http:') && !isLoopback(baseUrl);
}

/** Formats a target for notices and prompts: `production https://api.example.com`. */
export function describeTarget({ name, baseUrl }: Pick<Target, 'name' | 'baseUrl'>): string {
  return name === undefined ? baseUrl : `${name} ${baseUrl}`;
}

/** Resolves the keys: `--key-file`, the environment, the key command of the profile, or its stored keys (file and keyring), in this order. */
export async function resolveKeys(
  settings: Settings,
  target: KeySources & Pick<Target, 'acceptsEnvironmentKeys'>,
): Promise<ApiKeys> {
  if (settings.keyFile !== undefined) return { any: await readKeyFile(settings.cwd, settings.keyFile) };
  if (!target.acceptsEnvironmentKeys) return ownKeys(target);
  const { any, management, private: privateKey } = settings.keys;
  // TOKENCTL_API_KEY is for every operation, so it must not be mixed with keys of the target.
  if (any !== undefined) return { any, management, private: privateKey };
  return {
    ...(await ownKeys(target)),
    ...(management !== undefined && { management }),
    ...(privateKey !== undefined && { private: privateKey }),
  };
}

type KeySources = Pick<Target, 'keys' | 'keyCommand' | 'keyring' | 'name'> & Partial<Pick<Target, 'source'>>;

async function ownKeys({
  keys,
  keyCommand,
  keyring = [],
  name,
  source = 'the target',
}: KeySources): Promise<ApiKeys> {
  if (keyCommand !== undefined) {
    const { readKeyFromCommand } = await import('./key-command.js');
    return { any: await readKeyFromCommand(keyCommand, source) };
  }
  if (keyring.length === 0 || name === undefined) return keys;
  const { readKeys } = await import('./keyring.js');
  return { ...keys, ...(await readKeys(name, keyring)) };
}

/** Reads the API key in a `--key-file`. @throws {CliError} when it cannot be read or contains anything else */
export async function readKeyFile(cwd: string, path: string): Promise<string> {
  const key = (await readTextFile(resolve(cwd, path), `--key-file ${path}`)).trim();
  if (key === '' || /\s/.test(key))
    throw usageError(`--key-file ${path} must contain one key and nothing else.`);
  return key;
}

/**
 * Returns the key for an operation with this permission.
 * @param target `withheld`: keys in the environment were not used
 * @throws {CliError} when there is none
 */
export function requiredKey(
  keys: ApiKeys,
  permission: Permission | null,
  { source, withheld = false }: { source: string; withheld?: boolean },
): string {
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
      hint: withheld
        ? 'Keys in the environment are not sent to an address that only the project file names: add a profile for it, or set --base-url.'
        : `Set TOKENCTL_API_KEY${type === 'any' ? '' : ` or TOKENCTL_${type.toUpperCase()}_KEY`}, use --key-file FILE, or run: tokenctl auth login`,
    },
  );
}
