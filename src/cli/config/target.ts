import type { ApiKeys } from '../../client/connection.js';
import { type CliError, usageError } from '../lib/errors.js';
import { shellQuote } from '../lib/text.js';
import { validateBaseUrl } from './base-url.js';
import { readProjectTarget } from './project-file.js';
import type { Settings } from './settings.js';
import {
  describeDistrusted,
  type RunningState,
  readRunningState,
  readStateFile,
  resolveDataDir,
} from './state-file.js';
import { otherProfiles, type Profile, readUserConfig } from './user-config.js';

export interface Target {
  baseUrl: string;
  /** What selected it, for messages: `--base-url`, `profile dev`, `the emulator on /…`. */
  source: string;
  /** What prompts and notices call it in front of its address: the name of a profile, `emulator`. */
  name?: string | undefined;
  headerPrefix: string | undefined;
  /** The only certificate to trust, that of an emulator. */
  certificate?: string | undefined;
  keys: ApiKeys;
  /** A shell command that prints the key for every operation; used instead of `keys`. */
  keyCommand?: string | undefined;
  protected: boolean;
  acceptsEnvironmentKeys: boolean;
}

const TARGET_HINT =
  'Set --base-url URL (TOKENCTL_BASE_URL), choose a profile with --profile NAME (tokenctl profile add NAME --base-url URL), or start the emulator: tokenctl emulator start.';

const profileTarget = (profile: Profile, name: string): Target => ({
  baseUrl: validateBaseUrl(profile.base_url, `base_url of the profile ${name}`),
  source: `profile ${name}`,
  name,
  headerPrefix: profile.header_prefix,
  keys: profile.keys ?? {},
  ...(profile.key_command !== undefined && { keyCommand: profile.key_command }),
  protected: profile.protected === true,
  acceptsEnvironmentKeys: true,
});

async function resolveProfile(settings: Settings, name: string, source: string): Promise<Target> {
  const { profiles } = await readUserConfig(settings.configDir);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profileTarget(profile, name);
  throw usageError(
    `The profile ${JSON.stringify(name)} does not exist (${source}).`,
    otherProfiles(name, Object.keys(profiles)),
  );
}

async function projectTarget(settings: Settings): Promise<Target | undefined> {
  const project = await readProjectTarget(settings.cwd, settings.env, settings.environment);
  if (project?.baseUrl !== undefined) {
    const baseUrl = validateBaseUrl(project.baseUrl, `base_url in ${project.path}`);
    const profiles = await profileTargets(settings);
    const target = withKeysOf(baseUrl, project.path, await addEmulator(profiles, settings));
    // Whoever wrote the project file must not receive the keys of whoever uses it.
    const acceptsEnvironmentKeys = profiles.some((profile) => profile.baseUrl === baseUrl);
    return { ...target, headerPrefix: project.headerPrefix ?? target.headerPrefix, acceptsEnvironmentKeys };
  }
  if (project?.profile !== undefined) return resolveProfile(settings, project.profile, project.path);
  return undefined;
}

async function emulatorTarget(settings: Settings): Promise<Target | undefined> {
  const state = await readRunningState(settings);
  return state && stateTarget(state, state.base_url);
}

function stateTarget(state: RunningState, baseUrl: string): Target {
  return {
    baseUrl,
    source: `the emulator on ${state.data_dir}`,
    name: 'emulator',
    headerPrefix: state.header_prefix,
    ...(state.certificate !== undefined && { certificate: state.certificate }),
    keys: state.keys ?? {},
    protected: false,
    acceptsEnvironmentKeys: true,
  };
}

async function requiredEmulator(settings: Settings): Promise<Target> {
  const target = await emulatorTarget(settings);
  if (target) return target;
  throw usageError(
    (await describeDistrusted(settings)) ?? `No emulator is running on ${resolveDataDir(settings)}.`,
    `Start it with \`tokenctl emulator start --data-dir ${shellQuote(settings.dataDirFlag ?? '')}\`, or use --local.`,
  );
}

async function profileTargets(settings: Settings): Promise<Target[]> {
  const { current, profiles } = await readUserConfig(settings.configDir);
  const names = Object.keys(profiles).sort((a, b) => Number(b === current) - Number(a === current));
  return names.map((name) => profileTarget(profiles[name] as Profile, name));
}

/** Adds the emulator under the URL on which it listens, with the only certificate to trust there, and under its public one. */
async function addEmulator(targets: readonly Target[], settings: Settings): Promise<Target[]> {
  const state = await readRunningState(settings);
  if (!state) return [...targets];
  const { base_url, public_url } = state;
  return [
    ...targets,
    stateTarget(state, base_url),
    ...(public_url === undefined ? [] : [{ ...stateTarget(state, public_url), certificate: undefined }]),
  ];
}

/** Adds what is known about a base URL, since a key is sent only to the service it belongs to. */
function withKeysOf(baseUrl: string, source: string, targets: readonly Target[]): Target {
  const match = targets.find((target) => target.baseUrl === baseUrl);
  const unknown = { headerPrefix: undefined, keys: {}, protected: false, acceptsEnvironmentKeys: true };
  return { ...(match ?? unknown), baseUrl, source };
}

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

/** Resolves the target in the order of cli.md, Target and credentials. @param warn reports a state file that is not trusted */
export async function resolveTarget(settings: Settings, warn: (text: string) => void = () => {}) {
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
  const { current, profiles } = await readUserConfig(settings.configDir);
  const isStopped = distrusted === undefined && (await readStateFile(settings)) !== undefined;
  const stopped = isStopped ? `The emulator on ${resolveDataDir(settings)} is not running` : undefined;
  if (current === undefined) {
    const { environments = [] } =
      (await readProjectTarget(settings.cwd, settings.env, settings.environment)) ?? {};
    throw noTargetError(Object.keys(profiles), environments, stopped);
  }
  // Whoever works with an emulator here must not find the commands at work elsewhere, unasked and in silence.
  if (stopped !== undefined) warn(`${stopped}; the current profile ${current} is used.`);
  return resolveProfile(settings, current, 'the current profile');
}

function noTargetError(
  profiles: readonly string[],
  environments: readonly string[],
  stopped: string | undefined,
): CliError {
  const [[profile], [environment]] = [profiles, environments];
  const choose = environment && `choose an environment: --environment ${environment}`;
  if (stopped !== undefined && profile === undefined)
    return usageError(`${stopped}.`, `Start it: tokenctl emulator start${choose ? `; or ${choose}` : ''}`);
  const chosen = 'No target service is chosen.';
  if (choose)
    return usageError(
      `${chosen} The project file has ${listOf('environment', environments)}.`,
      `Choose one: --environment ${environment}`,
    );
  if (profile === undefined) return usageError('No target service is configured.', TARGET_HINT);
  return usageError(
    `${chosen} You have ${listOf('profile', profiles)}.`,
    `Add --profile ${profile}, or choose it for all commands: tokenctl profile use ${profile}`,
  );
}

const listOf = (noun: string, names: readonly string[]): string =>
  `the ${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;

/** Whether `--local` selects the target: a base URL or a profile takes precedence over it. */
export function isLocalTarget({ local, baseUrl, profile }: Settings): boolean {
  return local && baseUrl === undefined && profile === undefined;
}

/** Formats a target for notices and prompts: `production https://api.example.com`. */
export const describeTarget = ({ name, baseUrl }: Pick<Target, 'name' | 'baseUrl'>): string =>
  name === undefined ? baseUrl : `${name} ${baseUrl}`;
