import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { isObject, jsonOf } from '../../contract/json.js';
import type { Context } from '../command.js';
import { PROJECT_FILE_NAMES } from '../config/paths.js';
import { shellQuote } from '../lib/text.js';
import { type Manifest, readManifest } from '../manifest/manifest.js';
import { formatDeclarations, inferReactorShape, readReactorShape } from '../reactors/types/reactor-shape.js';
import { CHARGE_TESTS, scaffoldFiles, TYPE_PACKAGES } from '../scaffold/files.js';
import { gitHubWorkflow } from '../scaffold/github-workflow.js';
import { gitLabPipeline } from '../scaffold/gitlab-pipeline.js';
import { findConflicts, writeProjectFile } from './shared/project-files.js';

interface InitOptions {
  directory: string | undefined;
  force?: boolean | undefined;
  ci?: string | undefined;
}

async function formatTypes(manifest: Manifest | undefined, directory: string): Promise<string> {
  if (manifest)
    return formatDeclarations(
      await Promise.all(manifest.reactors.map((entry) => readReactorShape(entry, directory))),
    );
  const configuration = Object.keys(CHARGE_TESTS.configuration);
  const charge = { name: 'charge', file: 'reactors/charge.ts', configuration };
  return formatDeclarations([inferReactorShape(charge, CHARGE_TESTS)]);
}

async function readExisting(directory: string): Promise<Manifest | undefined> {
  const path = PROJECT_FILE_NAMES.map((name) => join(directory, name)).find(existsSync);
  return path === undefined ? undefined : readManifest(path);
}

export async function run(options: InitOptions, context: Context) {
  const { output, settings } = context;
  const directory = resolve(settings.cwd, options.directory ?? '.');
  const tokenctl = await ownPackageSpec();
  const manifest = options.force ? undefined : await readExisting(directory);
  const environments = Object.keys(manifest?.content.environments ?? {});
  const pipeline = options.ci === 'gitlab' ? gitLabPipeline(environments) : gitHubWorkflow(environments);
  const scaffold = scaffoldFiles(tokenctl, await formatTypes(manifest, directory), pipeline).filter(
    ({ isExample }) => !manifest || !isExample,
  );
  const ownable = options.force ? scaffold.filter(({ keepsExisting }) => keepsExisting) : scaffold;
  const kept = await findConflicts(ownable, directory);
  const written = scaffold.filter(({ path }) => !kept.includes(path));
  for (const file of written) await writeProjectFile(directory, file);
  if (kept.length > 0)
    output.notice(`Kept as ${kept.length === 1 ? 'it is' : 'they are'}: ${kept.join(', ')}`);
  const files = written.map(({ path }) => path);
  await output.result(
    { version: 1, directory, files },
    { redaction: 'plain', render: () => files.join('\n') },
  );
  const change = relative(settings.cwd, directory);
  output.notice(
    [
      'Next:',
      ...(change ? [`  cd ${shellQuote(change)}`] : []),
      `  ${await installCommand(directory, tokenctl)}`,
      '  npx tokenctl reactor test',
      '  npx tokenctl emulator start    (in another terminal)',
      '  npx tokenctl apply',
    ].join('\n'),
  );
  output.notice(
    'Breakpoints: press F5 in VS Code, or attach a debugger to: npx tokenctl reactor test --inspect-brk',
  );
  if (tokenctl.startsWith('file:')) output.notice(MOVE_PACKAGE);
}

const MOVE_PACKAGE =
  'package.json names tokenctl by its path on this machine. For a pipeline, commit the tarball of `npm pack` with the project, and install that.';

/** Returns the command that installs what a package.json, which init leaves as it is, does not list. */
async function installCommand(directory: string, tokenctl: string): Promise<string> {
  const wanted = { tokenctl, ...TYPE_PACKAGES };
  const listed = await listedPackages(join(directory, 'package.json'));
  const missing = Object.entries(wanted).filter(([name]) => !listed.has(name));
  const specs = missing.map(([name, version]) => shellQuote(`${name}@${version}`));
  return ['npm install', ...(specs.length > 0 ? ['--save-dev', ...specs] : [])].join(' ');
}

async function listedPackages(path: string): Promise<Set<string>> {
  const content = jsonOf(await readFile(path, 'utf8'));
  const { dependencies, devDependencies } = isObject(content) ? content : {};
  return new Set(
    [dependencies, devDependencies].flatMap((list) => (isObject(list) ? Object.keys(list) : [])),
  );
}

const REGISTRY_TARBALL = /^https?:.*\/tokenctl\/-\/tokenctl-[^/]+\.tgz$/;

/** Names the tokenctl that runs for a package.json: by version only if a registry provided it, where others may own the name. */
async function ownPackageSpec(): Promise<string> {
  const directory = dirname(createRequire(import.meta.url).resolve('tokenctl/package.json'));
  const modules = dirname(directory);
  const source = basename(modules) === 'node_modules' ? await readInstallSource(modules) : undefined;
  if (source === undefined) return fileSpec(directory);
  if (REGISTRY_TARBALL.test(source)) return `^${packageJson.version}`;
  return source.startsWith('file:')
    ? fileSpec(resolve(dirname(modules), source.slice('file:'.length)))
    : source;
}

const fileSpec = (path: string): string => `file:${path.replaceAll(sep, '/')}`;

/** Reads where npm took tokenctl from; undefined for a global install, of which npm keeps no record, and for other tools. */
async function readInstallSource(modules: string): Promise<string | undefined> {
  const text = await readFile(resolve(modules, '.package-lock.json'), 'utf8').catch(() => '');
  const { packages } = (jsonOf(text) ?? {}) as { packages?: Record<string, { resolved?: unknown }> };
  const resolved = packages?.['node_modules/tokenctl']?.resolved;
  return typeof resolved === 'string' ? resolved : undefined;
}
