import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type ControlClient, type TenantTarget, targetEnvironment } from '../client/control.js';
import { type Client, createClient } from '../client/index.js';
import type { Credentials } from '../contract/control/state-file.js';
import type { OperationBody, OperationInput } from '../contract/schemas/index.js';
import { type Controls, createControls } from './controls.js';
import { type BuiltReactor, hasPositions, locate } from './source-positions.js';

type NewToken = OperationInput<'tokens.create'>['body'];
type NewReactor = OperationInput<'reactors.create'>['body'];
type NewApplication = OperationInput<'applications.create'>['body'];

/** Which manifest is applied, and how. */
export interface ManifestOptions {
  /** That of the manifest. Default: the working directory. */
  directory?: string;
  /** The environment whose values the manifest has. */
  environment?: string;
  /** Values of the configuration of every reactor and proxy that override those of the manifest. */
  config?: Readonly<Record<string, string>>;
  /** Environment variables, which references such as `${env:PROCESSOR_URL}` stand for. */
  variables?: Readonly<Record<string, string>>;
}

/** The objects that a test starts with, as create requests. */
export interface Seed {
  applications?: readonly NewApplication[];
  reactors?: readonly NewReactor[];
  tokens?: readonly NewToken[];
}

/** The objects of a seed, in its order. */
export interface Seeded {
  applications: OperationBody<'applications.create'>[];
  reactors: OperationBody<'reactors.create'>[];
  tokens: OperationBody<'tokens.create'>[];
}

/** A tenant with its keys, a client, and controls that affect no other tenant. */
export interface Tenant extends Controls, Credentials {
  /** Calls the service with the key that each operation needs. */
  readonly client: Client;
  /** Creates the objects that a test starts with. */
  seed(seed: Seed): Promise<Seeded>;
  /** Deploys reactors from files, as `tokenctl reactor deploy` does. @returns its report @throws {CommandError} */
  deploy(...files: string[]): Promise<string>;
  /** Applies a manifest, as `tokenctl apply` does. @returns its report @throws {CommandError} */
  apply(manifest?: string | ManifestOptions): Promise<string>;
  /**
   * Replaces positions in the code of a deployed reactor, as in the stack of an invocation, by those of its sources:
   * `reactor.js:30:13` by `reactors/charge.ts:8:9`. Positions of code that was not deployed from files stay.
   */
  locate(reactorId: string, text: string): Promise<string>;
  /** Deletes the tenant with everything in it, and closes the client. */
  delete(): Promise<void>;
  /** Closes the client. The tenant stays. */
  close(): Promise<void>;
}

interface TenantHost {
  baseUrl: string;
  headerPrefix?: string | undefined;
  certificate?: string | undefined;
  control: ControlClient;
}

/** @param manifest directory of a manifest whose objects the tenant was created with */
export function createTenant(
  credentials: Credentials,
  { baseUrl, headerPrefix, certificate, control }: TenantHost,
  manifest?: string,
): Tenant {
  const { tenant_id: tenant, keys } = credentials;
  const client = createClient({
    baseUrl,
    apiKey: keys,
    ...(headerPrefix !== undefined && { headerPrefix }),
    ...(certificate !== undefined && { certificate }),
  });
  const target = { ...credentials, baseUrl, headerPrefix };
  const sources: Sources[] = manifest === undefined ? [] : [{ files: [], directory: manifest }];
  const controls = createControls(control, tenant);
  return {
    ...credentials,
    ...controls,
    client,
    seed: (seed) => applySeed(seed, client),
    async deploy(...files) {
      const report = await runCommand(['reactor', 'deploy', ...files, '--yes', '-o', 'json'], target);
      sources.push({ files });
      return report;
    },
    async apply(manifest = {}) {
      const options = typeof manifest === 'string' ? { directory: manifest } : manifest;
      const { directory, environment, config = {}, variables } = options;
      const flags = [
        ...(environment === undefined ? [] : ['--environment', environment]),
        ...Object.entries(config).flatMap(([name, value]) => ['--config', `${name}=${value}`]),
      ];
      const report = await runCommand(
        ['apply', ...flags, '--yes', '-o', 'json'],
        target,
        directory,
        variables,
      );
      sources.push({ files: [], directory });
      return report;
    },
    async locate(id, text) {
      if (!hasPositions(text) || sources.length === 0) return text;
      const { name, code } = await client.call('reactors.get', { path: { id } });
      const built = (await buildSources(sources, target)).find(
        (one) => one.name === name && one.code === code,
      );
      return built ? locate(text, built) : text;
    },
    async delete() {
      await controls.outbound.close();
      await control.call('tenants.delete', { path: { id: tenant } });
      await client.close();
    },
    async close() {
      await controls.outbound.close();
      await client.close();
    },
  };
}

/** What was deployed: files, or the reactors of a manifest. */
interface Sources {
  files: readonly string[];
  directory?: string | undefined;
}

/** Builds reactors again. Those that cannot be built any more are left out. */
async function buildSources(sources: readonly Sources[], target: TenantTarget): Promise<BuiltReactor[]> {
  const built = sources.map(async ({ files, directory = '' }) => {
    const report = await runCommand(
      ['reactor', 'build', ...files, '-o', 'json'],
      target,
      directory || undefined,
    );
    const { reactors } = JSON.parse(report) as { reactors: BuiltReactor[] };
    return reactors.map((one) => ({ ...one, file: resolve(directory, one.file) }));
  });
  return (await Promise.all(built.map((one) => one.catch(() => [])))).flat();
}

async function applySeed(
  { applications = [], reactors = [], tokens = [] }: Seed,
  client: Client,
): Promise<Seeded> {
  const seeded: Seeded = { applications: [], reactors: [], tokens: [] };
  for (const body of applications)
    seeded.applications.push(await client.call('applications.create', { body }));
  for (const body of reactors) seeded.reactors.push(await client.call('reactors.create', { body }));
  for (const body of tokens) seeded.tokens.push(await client.call('tokens.create', { body }));
  return seeded;
}

/** Limit of the output of a command, such as a plan or the report of a deployment. 16 MiB. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** A command of the CLI that failed. The message is what it wrote to stderr. */
export class CommandError extends Error {
  override name = 'CommandError';

  constructor(
    readonly exitCode: number | undefined,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Runs a command of the CLI in a process of its own, with a tenant as its service.
 * @returns what it wrote to stdout
 * @throws {CommandError} unless it exits with 0
 */
export function runCommand(
  args: readonly string[],
  target: TenantTarget,
  cwd?: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const executable = join(dirname(packageFile()), 'bin/tokenctl.js');
  const options = {
    // No lock file records what is applied to a tenant that the test deletes.
    env: { ...targetEnvironment(process.env, target), TOKENCTL_THROWAWAY_URL: target.baseUrl, ...variables },
    maxBuffer: MAX_OUTPUT_BYTES,
    ...(cwd !== undefined && { cwd }),
  };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [executable, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const code = typeof error.code === 'number' ? error.code : undefined;
      reject(new CommandError(code, stderr.trim() || error.message));
    });
  });
}

/** The package finds itself by its own name, as a source file and in a bundle. */
function packageFile(): string {
  return createRequire(import.meta.url).resolve('tokenctl/package.json');
}
