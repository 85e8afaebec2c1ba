import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Context } from '../command.js';
import { createReactorLoader, type ReactorLoader } from '../emulator/reactor-loader.js';
import { failureLines, usageError } from '../lib/errors.js';
import { toFailure } from '../lib/to-failure.js';
import { buildReactor } from '../reactors/build/build.js';
import { displayPath } from '../reactors/project/selection.js';
import {
  type DeclaredCode,
  formatManifest,
  type PulledCode,
  type PulledFile,
  planFiles,
} from '../tenant-config/pull/pulled-files.js';
import { type LeftOut, readTenant } from '../tenant-config/pull/pulled-tenant.js';
import { confirmOverwrite, writeProjectFile } from './shared/project-files.js';

interface PullFlags {
  directory: string | undefined;
  secrets?: string | undefined;
  allowSecrets?: boolean | undefined;
  force?: boolean | undefined;
}

const MANIFEST = 'tokenctl.yaml';
const OWNER_ONLY = 0o600;

/** Whether a deployment would upload a file unchanged. @throws {CliError} if it is uploaded verbatim and not valid */
async function buildsUnchanged(
  { path, text }: PulledFile,
  verbatim: boolean,
  directory: string,
  loader: ReactorLoader,
  { allowSecrets = false }: PullFlags,
  { signal, settings }: Context,
): Promise<boolean> {
  const entry = {
    name: path,
    code: join(directory, path),
    external: [],
    inManifest: true,
    bundle: !verbatim,
  };
  const configuration = { env: settings.env, allowCommand: false, config: undefined };
  const options = { cwd: directory, configuration, allowSecrets, loader, signal };
  const { outcome } = await buildReactor(entry, options);
  if (!outcome.ok && verbatim) throw outcome.error;
  return outcome.ok && outcome.value.code === text;
}

/** Finds out how code must be declared so that a deployment uploads it unchanged: verbatim, or bundled. @throws {CliError} */
async function isVerbatim(
  { files }: PulledCode,
  build: (file: PulledFile, verbatim: boolean) => Promise<boolean>,
): Promise<boolean> {
  for (const verbatim of [false, true]) {
    const unchanged: boolean[] = [];
    for (const file of Object.values(files)) unchanged.push(await build(file, verbatim));
    if (unchanged.every(Boolean)) return verbatim;
  }
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

/** Writes the code of objects, and leaves out what a manifest cannot declare. */
async function writeCode(
  objects: readonly PulledCode[],
  directory: string,
  flags: PullFlags,
  context: Context,
): Promise<{ declared: DeclaredCode[]; leftOut: LeftOut[] }> {
  const declared: DeclaredCode[] = [];
  const leftOut: LeftOut[] = [];
  const loader = createReactorLoader();
  const build = (file: PulledFile, verbatim: boolean) =>
    buildsUnchanged(file, verbatim, directory, loader, flags, context);
  try {
    for (const object of objects) {
      const files = Object.values(object.files);
      for (const file of files) await writeProjectFile(directory, file);
      try {
        declared.push({ ...object, verbatim: await isVerbatim(object, build) });
      } catch (error) {
        context.signal.throwIfAborted();
        for (const { path } of files) await rm(join(directory, path));
        const { kind, content } = object;
        leftOut.push({ kind, name: content.name, reason: failureLines(toFailure(error)).join('; ') });
      }
    }
  } finally {
    await loader.close();
  }
  return { declared, leftOut };
}

const listFiles = (objects: readonly PulledCode[]): PulledFile[] =>
  objects.flatMap(({ files }) => Object.values(files));

export async function run(flags: PullFlags, context: Context) {
  const { client, output, settings } = context;
  const directory = resolve(settings.cwd, flags.directory ?? '.');
  const secretsPath = secretsDirectory(flags, directory, settings.cwd);
  const tenant = await readTenant(client);
  const { code, secrets } = planFiles(tenant, secretsPath);
  const planned = [{ path: MANIFEST, text: '' }, ...listFiles(code), ...secrets];
  await confirmOverwrite(planned, directory, flags, context);

  for (const file of secrets) await writeProjectFile(directory, file, file.isSecret ? OWNER_ONLY : undefined);
  const { declared, leftOut: unwritten } = await writeCode(code, directory, flags, context);
  const manifest = formatManifest(tenant, declared, settings.profile);
  await writeProjectFile(directory, { path: MANIFEST, text: manifest });

  const leftOut = [...tenant.leftOut, ...unwritten];
  const variables = declared.flatMap((object) => object.variables);
  const files = [MANIFEST, ...[...listFiles(declared), ...secrets].map(({ path }) => path)];
  const { url } = (await client.connection()).transport;
  await output.result(
    { version: 1, target: url, directory, files, variables, left_out: leftOut },
    { redaction: 'plain', render: () => files.join('\n') },
  );
  for (const { kind, name, reason } of leftOut)
    output.warn(`The ${kind} ${JSON.stringify(name)} is not declared: ${reason}`);
  for (const { kind, content } of declared)
    if (content.application && tenant.deleted.has(content.application))
      output.notice(
        `The ${kind} ${JSON.stringify(content.name)} is declared without its application, ${content.application}, which no longer exists.`,
      );
  if (variables.length > 0)
    output.notice(`Set these variables before plan and apply: ${variables.join(', ')}`);
  const change = relative(settings.cwd, directory);
  output.notice(`Compare with the service: ${change ? `cd ${change} && ` : ''}tokenctl diff`);
}
