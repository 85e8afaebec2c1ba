import { isBuiltin } from 'node:module';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type ModuleAliases, resolveModule } from '../../../src/contract/reactor-runtime.js';
import type { ReactorCode } from '../invocation.js';
import { bundlePackage, findRequired } from './bundle-package.js';

/** Bundled packages by the name that reactor code requires. */
export type Packages = Readonly<Record<string, string>>;

const MAX_REACTORS = 1_000;
/** Of up to 4 MiB each. */
const MAX_BUNDLES = 32;
/** Of one reactor. */
const MAX_NAMES = 20;
/** Bundles in progress. Each takes processor time outside of this process. */
const CONCURRENCY = 2;

/**
 * A package, or a file of one. No part starts with a dot, so that the name cannot leave the package or reach a hidden file.
 */
const PACKAGE_NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*$/;

/**
 * Finds the installed packages that reactors require, and bundles them for the isolated engine, where they run with the rights
 * of the reactor. Other files cannot be required.
 */
export class PackageProvider {
  readonly #directory: string;
  readonly #aliases: ModuleAliases | undefined;
  readonly #limit = pLimit(CONCURRENCY);
  /** The names that the code of a reactor requires. */
  readonly #names = new LRUCache<string, Promise<string[]>>({ max: MAX_REACTORS });
  readonly #bundles = new LRUCache<string, Promise<string | undefined>>({ max: MAX_BUNDLES });

  /** @param directory absolute path of the folder whose node_modules is searched */
  constructor(directory: string, aliases: ModuleAliases | undefined) {
    this.#directory = directory;
    this.#aliases = aliases;
  }

  /** Never rejects. A package that is missing or cannot be bundled is not in the result, and `require` reports it. */
  async find({ reactorId, version, code }: ReactorCode): Promise<Packages> {
    const key = `${reactorId} ${version}`;
    const names = this.#names.get(key) ?? this.#findNames(code);
    this.#names.set(key, names);
    const bundles = await Promise.all(
      (await names).map(async (name) => [name, await this.#bundle(name)] as const),
    );
    const installed = bundles.filter((one): one is [string, string] => one[1] !== undefined);
    return Object.fromEntries(installed);
  }

  async #findNames(code: string): Promise<string[]> {
    const required = await this.#limit(() => findRequired(code));
    return required
      .filter(
        (name) =>
          PACKAGE_NAME.test(name) && !isBuiltin(name) && resolveModule(name, this.#aliases) === undefined,
      )
      .slice(0, MAX_NAMES);
  }

  #bundle(name: string): Promise<string | undefined> {
    const bundle =
      this.#bundles.get(name) ??
      this.#limit(() => bundlePackage(name, { directory: this.#directory, aliases: this.#aliases }));
    this.#bundles.set(name, bundle);
    return bundle;
  }
}
