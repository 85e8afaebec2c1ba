import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type ModuleAliases, resolveModule } from '../../../src/contract/reactor-runtime.js';
import type { ReactorCode } from '../invocation.js';
import { type Bundle, bundlePackage, findRequired } from './bundle-package.js';

/** What reactor code requires. */
export interface Packages {
  names: readonly string[];
  bundles: Readonly<Record<string, string>>;
  /** Why packages are not there, by name. */
  problems: Readonly<Record<string, string>>;
}

const MAX_REACTORS = 1_000;
/** Of up to 4 MiB each. */
const MAX_BUNDLES = 32;
/** Of one reactor. */
const MAX_NAMES = 20;
const TOO_MANY = `a reactor can require at most ${MAX_NAMES} packages.`;
const NOT_INSTALLED =
  'it was not installed when the reactor was loaded. Install it in the directory of --reactor-modules, and restart the emulator.';
/** Bundles in progress. Each takes processor time outside of this process. */
const CONCURRENCY = 2;

/** A package, or a file of one. No part starts with a dot: the name cannot leave the package. */
const PACKAGE_NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*$/;

/** Finds the installed packages that reactors require, and bundles them for the isolated engine. */
export class PackageProvider {
  readonly #limit = pLimit(CONCURRENCY);
  /** The names that code requires, by its hash: tests deploy the same code to many tenants. */
  readonly #names = new LRUCache<string, Promise<string[]>>({ max: MAX_REACTORS });
  readonly #bundles = new LRUCache<string, Promise<Bundle>>({ max: MAX_BUNDLES });
  readonly #require: NodeJS.Require;

  /** @param directory absolute path of the folder whose node_modules is searched */
  constructor(
    private readonly directory: string,
    private readonly aliases: ModuleAliases | undefined,
  ) {
    this.#require = createRequire(join(directory, 'reactor.js'));
  }

  /** Never rejects. A package that is missing or cannot be bundled has a problem in the result, which `require` reports. */
  async find({ code }: Pick<ReactorCode, 'code'>): Promise<Packages> {
    const key = hash('sha256', code);
    const names = this.#names.get(key) ?? this.#limit(() => findRequired(code));
    this.#names.set(key, names);
    const all = await names;
    const required = all.filter(
      (one) => PACKAGE_NAME.test(one) && !isBuiltin(one) && resolveModule(one, this.aliases) === undefined,
    );
    const found = await Promise.all(
      required.map(async (name, index): Promise<[string, Bundle]> => {
        return [name, index < MAX_NAMES ? await this.#find(name) : { problem: TOO_MANY }];
      }),
    );
    const bundled = found.flatMap(([name, one]) => ('code' in one ? [[name, one.code]] : []));
    const others = found.flatMap(([name, one]) => ('problem' in one ? [[name, one.problem]] : []));
    return { names: all, bundles: Object.fromEntries(bundled), problems: Object.fromEntries(others) };
  }

  /** A package that is not installed is looked for each time, so that a reactor loaded after the install gets it. */
  async #find(name: string): Promise<Bundle> {
    if (!this.#isInstalled(name)) return { problem: NOT_INSTALLED };
    const bundle = await this.#bundle(name);
    if ('code' in bundle) return bundle;
    return {
      problem: `it is installed, but cannot be bundled for this runtime (${bundle.problem}). --reactor-runtime node may run it.`,
    };
  }

  #isInstalled(name: string): boolean {
    const [directory = ''] = /^(@[^/]+\/)?[^/]+/.exec(name) ?? [];
    return (this.#require.resolve.paths(name) ?? []).some((path) => existsSync(join(path, directory)));
  }

  #bundle(name: string): Promise<Bundle> {
    const bundle =
      this.#bundles.get(name) ??
      this.#limit(() => bundlePackage(name, { directory: this.directory, aliases: this.aliases }));
    this.#bundles.set(name, bundle);
    return bundle;
  }
}
