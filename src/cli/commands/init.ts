import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { packageFile } from '../../contract/files.js';
import { isObject, jsonOf } from '../../contract/json.js';
import type { Context } from '../command.js';
import { PROJECT_FILE_NAMES } from '../config/paths.js';
import { shellQuote } from '../lib/text.js';
import { type Manifest, readManifest } from '../manifest/manifest.js';
import { formatDeclarations, readReactorShape } from '../reactors/types/reactor-shape.js';
import { REACTORS_FILE, readScaffold } from '../scaffold/files.js';
import { findConflicts, type ProjectFile, writeProjectFile } from './shared/project-files.js';

interface InitOptions {
  directory: string | undefined;
  force?: boolean | undefined;
  ci?: string | undefined;
}

async function readExisting(directory: string): Promise<Manifest | undefined> {
  const path = PROJECT_FILE_NAMES.map((name) => join(directory, name)).find(existsSync);
  return path === undefined ? undefined : readManifest(path);
}

interface Project {
  tokenctl: string;
  ci: string | undefined;
  manifest: Manifest | undefined;
  directory: string;
}

/** Returns the files of a project: if it has a manifest, without the example, and with the types of its own reactors. */
async function listFiles({ tokenctl, ci, manifest, directory }: Project) {
  const environments = Object.keys(manifest?.content.environments ?? {});
  const files = await readScaffold({ tokenctl, ci: ci === 'gitlab' ? 'gitlab' : 'github', environments });
  if (!manifest) return files;
  const shapes = await Promise.all(manifest.reactors.map((entry) => readReactorShape(entry, directory)));
  const types = formatDeclarations(shapes);
  return files
    .filter(({ isExample }) => !isExample)
    .map((file) => (file.path === REACTORS_FILE ? { ...file, text: types } : file));
}

export async function run(options: InitOptions, context: Context) {
  const { output, settings } = context;
  const directory = resolve(settings.cwd, options.directory ?? '.');
  const tokenctl = await ownPackageSpec();
  const manifest = options.force ? undefined : await readExisting(directory);
  const scaffold = await listFiles({ tokenctl, ci: options.ci, manifest, directory });
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
      `  ${await installCommand(directory, scaffold)}`,
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
async function installCommand(directory: string, scaffold: readonly ProjectFile[]): Promise<string> {
  const listed = listPackages(await readFile(join(directory, 'package.json'), 'utf8'));
  const wanted = listPackages(scaffold.find(({ path }) => path === 'package.json')?.text ?? '');
  const missing = [...wanted].filter(([name]) => !listed.has(name));
  const specs = missing.map(([name, version]) => shellQuote(`${name}@${version}`));
  return ['npm install', ...(specs.length > 0 ? ['--save-dev', ...specs] : [])].join(' ');
}

/** Returns what a package.json depends on. */
function listPackages(text: string): Map<string, unknown> {
  const content = jsonOf(text);
  const { dependencies, devDependencies } = isObject(content) ? content : {};
  return new Map(
    [dependencies, devDependencies].flatMap((list) => (isObject(list) ? Object.entries(list) : [])),
  );
}

const REGISTRY_TARBALL = /^https?:.*\/tokenctl\/-\/tokenctl-[^/]+\.tgz$/;

/** Names the tokenctl that runs for a package.json: by version only if a registry provided it, where others may own the name. */
async function ownPackageSpec(): Promise<string> {
  const directory = dirname(packageFile('tokenctl/package.json'));
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
