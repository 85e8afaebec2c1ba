import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModuleAliases } from '../../../contract/reactor-runtime.js';
import { createReactorLoader, type ReactorLoader } from '../../emulator/reactor-loader.js';
import { usageError } from '../../lib/errors.js';
import { buildReactor } from '../../reactors/build/build.js';
import type { PulledFile } from '../../tenant-config/pull/pulled-files.js';
import { writeProjectFile } from '../shared/project-files.js';

export interface CodeOptions {
  /** Uploaded as it is: `bundle: false`. */
  verbatim: boolean;
  minify?: boolean | undefined;
  external?: readonly string[] | undefined;
}

interface ProjectContext {
  directory: string;
  moduleAliases: ModuleAliases | undefined;
  /** Modules that all code may leave to the runtime. */
  external: readonly string[] | undefined;
  allowSecrets: boolean;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Writes the code of a service into files of a project, so that a deployment uploads it unchanged. */
export class CodeFiles {
  readonly #loader: ReactorLoader;

  constructor(private readonly project: ProjectContext) {
    this.#loader = createReactorLoader(project.moduleAliases);
  }

  close(): Promise<void> {
    return this.#loader.close();
  }

  /** Whether a deployment would upload this text for a file. @throws {CliError} if it is uploaded verbatim and not valid */
  async buildsTo(
    path: string,
    text: string,
    { verbatim, external = [], minify }: CodeOptions,
  ): Promise<boolean> {
    const { directory, env, external: shared = [], ...options } = this.project;
    const code = join(directory, path);
    const modules = { external: [...shared, ...external], bundle: !verbatim, minify };
    const entry = { name: path, code, inManifest: true, ...modules };
    const configuration = { env, allowCommand: false, config: undefined };
    const { outcome } = await buildReactor(entry, {
      ...options,
      cwd: directory,
      configuration,
      loader: this.#loader,
    });
    if (!outcome.ok && verbatim) throw outcome.error;
    return outcome.ok && outcome.value.code === text;
  }

  /** Writes files, and finds how a deployment uploads them unchanged: verbatim, or bundled. Failing that, restores what was there. */
  async write(files: readonly PulledFile[], external: readonly string[] = []): Promise<boolean> {
    const { directory } = this.project;
    const before = await Promise.all(
      files.map(({ path }) => readFile(join(directory, path), 'utf8').catch(() => undefined)),
    );
    for (const file of files) await writeProjectFile(directory, file);
    try {
      return await this.#isVerbatim(files, external);
    } catch (error) {
      for (const [index, { path }] of files.entries()) {
        const text = before[index];
        await (text === undefined ? rm(join(directory, path)) : writeProjectFile(directory, { path, text }));
      }
      throw error;
    }
  }

  async #isVerbatim(files: readonly PulledFile[], external: readonly string[]): Promise<boolean> {
    for (const verbatim of [false, true]) {
      const unchanged: boolean[] = [];
      for (const { path, text } of files)
        unchanged.push(await this.buildsTo(path, text, { verbatim, external }));
      if (unchanged.every(Boolean)) return verbatim;
    }
    throw usageError('a file cannot hold its code unchanged');
  }
}
