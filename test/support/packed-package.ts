import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PACKED } from './executable.js';
import { startLocalRegistry } from './local-registry.js';

const run = promisify(execFile);

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm pack` needs of the repository. */
const SOURCES =
  '.config bin docs emulator src CHANGELOG.md LICENSE README.md package-lock.json package.json tsconfig.json'.split(
    ' ',
  );

export interface PackedPackage {
  /** The tarball that `npm pack` has made. */
  tarball: string;
  /** An empty directory for installs. */
  directory: string;
  /** Runs npm or npx without a network and without what the user has configured. @returns stdout */
  npm(program: 'npm' | 'npx', args: readonly string[], cwd: string): Promise<string>;
  remove(): Promise<void>;
}

/** Provides the packed package. Packs a copy of the repository, whose own build and manifest stay as they are, unless it is there. */
export async function packPackage(): Promise<PackedPackage> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-package-'));
  const [packs, home] = [join(directory, 'packs'), join(directory, 'home')];
  for (const path of [packs, home]) await mkdir(path);
  const modules = join(ROOT, 'node_modules');
  const platforms = (await readdir(join(modules, '@esbuild'))).map((name) => `@esbuild/${name}`);
  const registry = await startLocalRegistry(
    ['esbuild', ...platforms].map((name) => join(modules, name)),
    packs,
  );
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    HOME: home,
    TMPDIR: tmpdir(),
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  const npm: PackedPackage['npm'] = async (program, args, cwd) =>
    (await run(program, args, { cwd, env, maxBuffer: 10_000_000 })).stdout;
  if (!PACKED)
    await npm('npm', ['pack', '--silent', '--pack-destination', packs], await copyRepository(directory));
  const folder = PACKED ?? packs;
  const name = (await readdir(folder)).find((file) => file.startsWith('tokenctl-')) ?? '';
  return {
    tarball: join(folder, name),
    directory,
    npm,
    remove: async () => {
      registry.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Copies what `npm pack` needs of the repository. @returns the copy */
async function copyRepository(directory: string): Promise<string> {
  const repository = join(directory, 'repository');
  for (const name of SOURCES) await cp(join(ROOT, name), join(repository, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(repository, 'node_modules'));
  return repository;
}

/** A global install of the tarball. */
export interface GlobalInstall {
  prefix: string;
  packages: number;
  /** The size of all its files. */
  bytes: number;
}

/**
 * The size of all files below a directory. The install script of this repository's esbuild has replaced its launcher by a
 * copy of the binary, which the registry's package does not have.
 */
async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/esbuild/bin'));
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Installs the tarball into an empty prefix, without running install scripts. */
export async function installGlobally({ npm, directory, tarball }: PackedPackage): Promise<GlobalInstall> {
  const prefix = join(directory, 'prefix');
  await mkdir(prefix);
  await npm('npm', ['install', '--global', '--prefix', prefix, '--ignore-scripts', tarball], prefix);
  const listed = await npm('npm', ['ls', '--global', '--prefix', prefix, '--all', '--parseable'], prefix);
  const packages = listed.split('\n').filter((path) => path.includes('/node_modules/')).length;
  return { prefix, packages, bytes: await sizeOf(prefix) };
}
