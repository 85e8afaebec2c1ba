import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import packageJson from '../../../package.json' with { type: 'json' };
import { DEFAULT_PORT } from '../../contract/control/endpoints.js';
import { isProcessAlive } from '../../contract/process-identity.js';
import { withTimeout } from '../../contract/with-timeout.js';
import type { Context } from '../command.js';
import { readProjectTarget } from '../config/project-file.js';
import type { Settings } from '../config/settings.js';
import { type RunningState, readRunningState, readStateFile, resolveDataDir } from '../config/state-file.js';
import { configPath, readUserConfig } from '../config/user-config.js';
import { withEmulator } from '../emulator/launch.js';
import type { Options } from '../flags/flag.js';
import { CliError, EXIT_CODES } from '../lib/errors.js';
import type { Style } from '../output/style.js';
import { type CheckResult, failedCheck, passed, problem, type Results, warning } from './doctor/check.js';
import { checkService } from './doctor/service.js';
import { parsePermissions } from './shared/flag-values.js';
import { callControl } from './shared/running-emulator.js';

type DoctorOptions = Options<'permission', string[]> & Options<'port', number>;

/** Checks everything that commands depend on. Problems of one cause have its exit code (cli.md, Failure), others 1. */
export async function run({ permission, port }: DoctorOptions, context: Context) {
  const wanted = permission && parsePermissions(permission.flatMap((list) => list.split(',')));
  const checks: Readonly<Record<string, (context: Context) => Results>> = {
    tokenctl: checkNode,
    configuration: checkConfiguration,
    'project file': checkProject,
    'data directory': checkDataDirectory,
    emulator: (given) => checkEmulator(port, given),
    service: (given) => checkService(wanted, given),
  };
  const results: CheckResult[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const found = await collect(name, check, context);
    // What breaks one part can break another in the same way.
    results.push(...found.filter(({ detail }) => !results.some((known) => known.detail === detail)));
  }
  await context.output.plain({ version: 1, checks: results }, { render });
  throwProblems(results);
}

async function collect(
  name: string,
  check: (context: Context) => Results,
  context: Context,
): Promise<CheckResult[]> {
  const found: CheckResult[] = [];
  try {
    for await (const result of check(context)) found.push(result);
  } catch (error) {
    context.signal.throwIfAborted();
    found.push(failedCheck(name, error));
  }
  return found;
}

function throwProblems(results: readonly CheckResult[]): void {
  const categories = results.flatMap(({ category }) => category ?? []);
  const [first] = categories;
  if (first === undefined) return;
  const isOneCause = categories.every((category) => EXIT_CODES[category] === EXIT_CODES[first]);
  const count = categories.length;
  throw new CliError(
    isOneCause ? first : 'failed',
    count === 1 ? '1 problem was found.' : `${count} problems were found.`,
  );
}

function render({ checks }: { checks: CheckResult[] }, style: Style): string {
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), problem: style.red('✗') };
  return checks
    .map(({ check, status, detail, fix }) => {
      const line = `${marks[status]} ${style.bold(check)}: ${detail}`;
      return fix === undefined ? line : `${line}\n    ${style.cyan(fix)}`;
    })
    .join('\n');
}

/** Reports the versions. The executable itself refuses a Node.js that is too old. */
async function* checkNode(): Results {
  const { versions, platform, arch } = process;
  yield passed('tokenctl', `${packageJson.version} on Node.js ${versions.node}, ${platform} ${arch}`);
}

const OTHERS = 0o077;

/** Whether other users can read a path. Windows has no such modes. */
const isExposed = (mode: number, platform: NodeJS.Platform): boolean =>
  platform !== 'win32' && (mode & OTHERS) !== 0;

async function* checkConfiguration({ settings }: Context): Results {
  const check = 'configuration';
  const path = configPath(settings.configDir);
  const found = await stat(path).catch(() => undefined);
  if (!found) return yield passed(check, `none at ${path}`);
  const { profiles, current } = await readUserConfig(settings.configDir);
  const names = Object.keys(profiles);
  if (current !== undefined && !names.includes(current)) {
    const fix = `tokenctl profile ${names[0] === undefined ? `add ${current}` : `use ${names[0]}`}`;
    yield problem(check, 'usage', `the current profile ${current} does not exist`, fix);
  } else if (isExposed(found.mode, settings.platform))
    yield problem(check, 'failed', `other users can read ${path}, which holds keys`, `chmod 600 ${path}`);
  else yield passed(check, `${path}, profiles: ${names.join(', ') || 'none'}`);
}

async function* checkProject({ settings }: Context): Results {
  const project = await readProjectTarget(settings.cwd, settings.env);
  if (project) yield passed('project file', project.path);
}

const DATA_DIRECTORY = 'data directory';

/** Checks the data directory of the emulator: mode and damage. Nothing to report if there is none. */
async function* checkDataDirectory({ settings }: Context): Results {
  const path = resolveDataDir(settings);
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isDirectory())
    return yield problem(
      DATA_DIRECTORY,
      'failed',
      `${path} is not a directory`,
      'Choose another directory: --data-dir DIR (TOKENCTL_DATA_DIR)',
    );
  if (isExposed(found.mode, settings.platform))
    return yield problem(
      DATA_DIRECTORY,
      'failed',
      `other users can read ${path}, which holds token data`,
      `chmod 700 ${path}`,
    );
  yield await checkDamage(path, settings);
}

async function checkDamage(path: string, settings: Settings): Promise<CheckResult> {
  try {
    const { pid } = (await readStateFile(settings)) ?? {};
    // Whoever has the directory open has checked it, and holds its lock.
    if (pid !== undefined && isProcessAlive(pid)) return passed(DATA_DIRECTORY, path);
    const damages = await withEmulator(({ checkDataDir }) => checkDataDir(path, { repair: false }));
    const [first] = damages;
    if (!first) return passed(DATA_DIRECTORY, path);
    const fix = `tokenctl emulator doctor --repair --data-dir ${path}`;
    const more = damages.length > 1 ? ` and ${damages.length - 1} more` : '';
    return problem(DATA_DIRECTORY, 'failed', `damaged: ${first.file}${more}`, fix);
  } catch (error) {
    return { ...failedCheck(DATA_DIRECTORY, error), category: 'failed' };
  }
}

const EMULATOR = 'emulator';
const HOST = '127.0.0.1';
const TIMEOUT_MS = 5_000;

async function* checkEmulator(port: number | undefined, context: Context): Results {
  const { settings } = context;
  // `checkDataDirectory` reports a state file that cannot be read.
  const state = await readStateFile(settings).catch(() => undefined);
  const running = state && (await readRunningState(settings));
  if (running) {
    const found = await checkResponds(running, context);
    yield found;
    if (found.status === 'ok') yield* checkDeliveries(context);
    return;
  }
  const wasKilled = state?.pid !== undefined && !isProcessAlive(state.pid);
  yield wasKilled
    ? warning(EMULATOR, 'was killed; its data is kept', 'tokenctl emulator start')
    : passed(EMULATOR, 'does not run for this directory');
  yield await checkPort(port);
}

async function checkResponds(state: RunningState, context: Context): Promise<CheckResult> {
  const { signal } = context;
  try {
    await callControl({ ...context, signal: withTimeout(signal, TIMEOUT_MS) }, 'ready');
    return passed(EMULATOR, `ready at ${state.base_url}`);
  } catch {
    signal.throwIfAborted();
    return problem(
      EMULATOR,
      'unreachable',
      `process ${state.pid} runs, but the emulator does not respond at ${state.base_url}`,
      `If it is an emulator, end it: kill ${state.pid}. Then: tokenctl emulator start`,
    );
  }
}

async function* checkDeliveries(context: Context): Results {
  const { deliveries } = await callControl(context, 'deliveries.list');
  const failing = deliveries.filter(({ last_error }) => last_error !== undefined);
  const [first] = failing;
  if (!first) return;
  const detail = `${failing.length} failed and will be tried again; to ${first.url}: ${first.last_error}`;
  yield warning('deliveries', detail, `tokenctl emulator logs --kind ${first.kind}`);
}

/** Checks that `emulator start` could listen on a port; without one, it uses the default or a free one. */
async function checkPort(wanted: number | undefined): Promise<CheckResult> {
  const port = wanted ?? DEFAULT_PORT;
  const server = createServer();
  try {
    await once(server.listen(port, HOST), 'listening');
    return passed('port', `${port} is free`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const detail = `${port} ${code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on: ${code}`}`;
    return wanted === undefined
      ? passed('port', `${detail}; emulator start picks a free one`)
      : problem('port', 'failed', detail, 'tokenctl emulator start --port 0');
  } finally {
    server.close();
  }
}
