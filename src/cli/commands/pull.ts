import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Context } from '../command.js';
import { createReactorLoader, type ReactorLoader } from '../emulator/reactor-loader.js';
import { usageError } from '../lib/errors.js';
import { toFailure } from '../lib/failure.js';
import { buildReactor } from '../reactors/build/build.js';
import { displayPath } from '../reactors/project/source-file.js';
import { formatManifest, type PulledReactor, planFiles } from '../tenant-config/pull/pulled-files.js';
import { type LeftOut, readTenant } from '../tenant-config/pull/pulled-tenant.js';
import { confirmOverwrite, writeProjectFile } from './shared/project-files.js';

export interface PullFlags {
  directory: string | undefined;
  secrets?: string | undefined;
  allowSecrets?: boolean | undefined;
  force?: boolean | undefined;
}

const REPORT_VERSION = 1;
const MANIFEST = 'tokenctl.yaml';
const OWNER_ONLY = 0o600;

/**
 * Finds out how the code of a reactor must be declared so that a deployment would upload exactly what the service has: as
 * it is, or bundled, which leaves most code alone.
 * @throws {CliError} if neither does
 */
async function isVerbatim(
  { content, file }: PulledReactor,
  directory: string,
  loader: ReactorLoader,
  { allowSecrets = false }: PullFlags,
  { signal, settings }: Context,
): Promise<boolean> {
  const entry = {
    name: content.name,
    code: join(directory, file.path),
    external: [],
    inManifest: true,
  };
  const configuration = { env: settings.env, allowCommand: false, config: undefined };
  const options = { cwd: directory, configuration, allowSecrets, loader, signal };
  const bundled = await buildReactor(entry, options);
  if (bundled.outcome.ok && bundled.outcome.value.code === content.code) return false;
  const { outcome } = await buildReactor({ ...entry, verbatim: true }, options);
  if (!outcome.ok) throw outcome.error;
  if (outcome.value.code === content.code) return true;
  throw usageError('a file cannot hold its code unchanged');
}

/** Returns the path of `--secrets` relative to the manifest. @throws {CliError} if it lies outside of its directory */
function secretsDirectory({ secrets }: PullFlags, directory: string, cwd: string): string | undefined {
  if (secrets === undefined) return undefined;
  const path = displayPath(resolve(cwd, secrets), directory);
  if (path === '.' || path.startsWith('..') || path.includes('}'))
    throw usageError(
      '--secrets must name a directory inside of that of the manifest, without } in its name.',
    );
  return path;
}

/** Writes the code of the reactors, and leaves out what a manifest cannot declare. */
async function writeReactors(
  reactors: readonly PulledReactor[],
  directory: string,
  flags: PullFlags,
  context: Context,
): Promise<{ declared: (PulledReactor & { verbatim: boolean })[]; leftOut: LeftOut[] }> {
  const declared: (PulledReactor & { verbatim: boolean })[] = [];
  const leftOut: LeftOut[] = [];
  const loader = createReactorLoader();
  try {
    for (const reactor of reactors) {
      await writeProjectFile(directory, reactor.file);
      try {
        declared.push({
          ...reactor,
          verbatim: await isVerbatim(reactor, directory, loader, flags, context),
        });
      } catch (error) {
        context.signal.throwIfAborted();
        await rm(join(directory, reactor.file.path));
        leftOut.push({ kind: 'reactor', name: reactor.content.name, reason: toFailure(error).detail });
      }
    }
  } finally {
    await loader.close();
  }
  return { declared, leftOut };
}

export async function run(flags: PullFlags, context: Context): Promise<void> {
  const { client, output, settings } = context;
  const directory = resolve(settings.cwd, flags.directory ?? '.');
  const secretsPath = secretsDirectory(flags, directory, settings.cwd);
  const tenant = await readTenant(client);
  const { reactors, secrets } = planFiles(tenant, secretsPath);
  const planned = [{ path: MANIFEST, text: '' }, ...reactors.map(({ file }) => file), ...secrets];
  await confirmOverwrite(planned, directory, flags, context);

  for (const file of secrets) await writeProjectFile(directory, file, file.isSecret ? OWNER_ONLY : undefined);
  const written = await writeReactors(reactors, directory, flags, context);
  const manifest = formatManifest(tenant, written.declared, settings.profile);
  await writeProjectFile(directory, { path: MANIFEST, text: manifest });

  const leftOut = [...tenant.leftOut, ...written.leftOut];
  const variables = written.declared.flatMap((reactor) => reactor.variables);
  const files = [
    MANIFEST,
    ...written.declared.map(({ file }) => file.path),
    ...secrets.map(({ path }) => path),
  ];
  const { url } = (await client.connection()).transport;
  await output.result(
    { version: REPORT_VERSION, target: url, directory, files, variables, left_out: leftOut },
    { redaction: 'plain', render: () => files.join('\n') },
  );
  for (const { kind, name, reason } of leftOut)
    output.warn(`The ${kind} ${JSON.stringify(name)} is not declared: ${reason}`);
  if (variables.length > 0)
    output.notice(`Set these variables before plan and apply: ${variables.join(', ')}`);
  const change = relative(settings.cwd, directory);
  output.notice(`Compare with the service: ${change ? `cd ${change} && ` : ''}tokenctl diff`);
}
