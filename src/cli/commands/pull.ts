import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Context } from '../command.js';
import { usageError } from '../lib/errors.js';
import { countOf, shellQuote } from '../lib/text.js';
import { displayPath } from '../reactors/project/selection.js';
import { isObjectPattern, ObjectSelection } from '../tenant-config/declaration/object-selection.js';
import { ReferenceWriter } from '../tenant-config/pull/pulled-files.js';
import { limitTenant, type PulledTenant, readTenant } from '../tenant-config/pull/pulled-tenant.js';
import { CodeFiles } from './pull/code-files.js';
import { declareObjects, type PullOptions, type Written } from './pull/declare-objects.js';
import { declares, openProject, saveDocuments } from './pull/project.js';
import { takeOverObjects } from './pull/take-over.js';
import { writeProjectFile } from './shared/project-files.js';

const OWNER_ONLY = 0o600;

interface PullFlags {
  target?: string[];
  secrets?: string | undefined;
  literal?: string[] | undefined;
  allowSecrets?: boolean | undefined;
  force?: boolean | undefined;
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Tells objects from the directory. What could be both is a directory if there is one. */
function readTargets({ target = [] }: PullFlags, cwd: string): { directory: string; objects: string[] } {
  const isObject = (text: string) =>
    text.includes('/') && isObjectPattern(text) && !isDirectory(resolve(cwd, text));
  const [directory = '.', ...others] = target.filter((text) => !isObject(text));
  if (others.length > 0) throw usageError('pull takes one directory, and objects such as reactor/charge.');
  return { directory: resolve(cwd, directory), objects: target.filter(isObject) };
}

/** Returns the path of `--secrets` relative to the manifest. @throws {CliError} if it lies outside of its directory */
function secretsDirectory({ secrets }: PullFlags, directory: string, cwd: string): string | undefined {
  if (secrets === undefined) return undefined;
  const path = displayPath(resolve(cwd, secrets), directory);
  if (path === '.' || path.startsWith('..') || path.includes('}'))
    throw usageError('--secrets must be a directory below that of the manifest, without } in its name.');
  return path;
}

async function openFiles(directory: string, flags: PullFlags, objects: readonly string[], context: Context) {
  const { settings, signal } = context;
  const { allowSecrets = false, literal = [], force = false } = flags;
  const project = await openProject(directory, force && objects.length === 0, context);
  const { moduleAliases, content } = project.manifest ?? {};
  const writer = new ReferenceWriter({
    secretsDirectory: secretsDirectory(flags, directory, settings.cwd),
    literal,
    present: JSON.stringify(project.documents.map(({ content }) => content)),
  });
  const code = new CodeFiles({
    directory,
    moduleAliases,
    external: content?.external,
    allowSecrets,
    env: settings.env,
    signal,
  });
  return { directory, project, code, writer, force };
}

async function writeSecrets({ directory, writer }: PullOptions): Promise<string[]> {
  for (const file of writer.files)
    await writeProjectFile(directory, file, file.isSecret ? OWNER_ONLY : undefined);
  return writer.files.map(({ path }) => path);
}

/** Writes what is selected: what is declared already only if it is named. */
async function pullObjects(
  tenant: PulledTenant,
  selection: ObjectSelection,
  options: PullOptions & { isNamed: boolean },
  context: Context,
): Promise<Written> {
  const { project, directory, isNamed } = options;
  const selected = limitTenant(tenant, selection.includes);
  const declared = selected.objects.filter((object) => declares(project, object));
  const undeclared = limitTenant(selected, (object) => !declares(project, object));
  const added = await declareObjects(undeclared, options, context);
  const [example] = declared;
  if (!isNamed && example)
    context.output.notice(
      `Kept as declared: ${countOf(declared.length, 'object')}. Take one over from the service: tokenctl pull ${shellQuote(`${example.kind}/${example.name}`)}`,
    );
  const taken = await takeOverObjects(isNamed ? declared : [], project, options, context.signal);
  const secrets = await writeSecrets(options);
  return {
    files: [...(await saveDocuments(project, directory)), ...added.files, ...taken.files, ...secrets],
    variables: [...added.variables, ...taken.variables],
    leftOut: [...added.leftOut, ...taken.leftOut],
  };
}

export async function run(flags: PullFlags, context: Context) {
  const { client, output, settings } = context;
  const { directory, objects } = readTargets(flags, settings.cwd);
  const selection = new ObjectSelection({ only: objects });
  const options = await openFiles(directory, flags, objects, context);
  const tenant = await readTenant(client);
  selection.assertMatches([...tenant.objects, ...tenant.leftOut], 'The tenant has');
  const isNamed = objects.length > 0;
  const { files, variables, leftOut } = await pullObjects(
    tenant,
    selection,
    { ...options, isNamed },
    context,
  ).finally(() => options.code.close());

  const { url } = (await client.connection()).transport;
  await output.result(
    { version: 1, target: url, directory, files, variables, left_out: leftOut },
    { redaction: 'plain', render: () => files.join('\n') || 'nothing to write' },
  );
  for (const { kind, name, reason } of leftOut)
    output.warn(
      `The ${kind} ${JSON.stringify(name)} is not ${isNamed ? 'taken over' : 'declared'}: ${reason}`,
    );
  if (variables.length > 0)
    output.notice(`Set these variables before plan and apply: ${variables.join(', ')}`);
  const change = relative(settings.cwd, directory);
  output.notice(`Compare with the service: ${change ? `cd ${change} && ` : ''}tokenctl diff`);
}
