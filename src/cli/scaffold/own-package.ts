import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, resolve, sep } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { jsonOf } from '../../contract/json.js';

const REGISTRY_TARBALL = /^https?:.*\/tokenctl\/-\/tokenctl-[^/]+\.tgz$/;

/**
 * Returns what a package.json names to get the tokenctl that runs: its version only if it came from a registry, where
 * somebody else may own the name otherwise.
 */
export async function ownPackageSpec(): Promise<string> {
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
