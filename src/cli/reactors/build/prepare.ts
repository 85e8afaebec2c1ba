import type { ReactorLoader } from '../../emulator/reactor-loader.js';
import { type ConfigurationFlags, resolveConfiguration } from '../project/configuration.js';
import type { ReactorEntry } from '../project/manifest.js';
import { shownPath } from '../project/source-file.js';
import { bundleReactor } from './bundle.js';
import { scanConfiguration, scanSources } from './checks.js';
import { ReactorCodeError } from './code-problem.js';

/** A reactor ready to be compared and uploaded. */
export interface PreparedReactor {
  name: string;
  /** Relative to the working directory, with forward slashes. */
  file: string;
  code: string;
  /** undefined: whatever the service has is kept. */
  configuration: Record<string, string> | undefined;
  /** Id or exact name; null: none; undefined: whatever the service has is kept. */
  application: string | null | undefined;
  minified: boolean;
}

export interface PrepareOptions extends ConfigurationFlags {
  cwd: string;
  allowSecrets: boolean;
  /** Checks the export by loading the code; left out where the code is run anyway. */
  loader?: ReactorLoader | undefined;
  /** Told every file that the result depends on, found or not. */
  onInput?: (path: string) => void;
}

const SECRETS_HINT =
  'Put keys into an env file that is not committed, card data into tokens. When it is no secret: --allow-secrets.';

/**
 * Bundles a reactor, resolves its configuration and checks both.
 * @throws {ReactorCodeError | CliError} that says what is wrong and where.
 */
export async function prepareReactor(entry: ReactorEntry, options: PrepareOptions): Promise<PreparedReactor> {
  const { cwd, onInput = () => {} } = options;
  onInput(entry.code);
  if (entry.envFile !== undefined) onInput(entry.envFile);
  const bundle = await bundleReactor({ file: entry.code, cwd, external: entry.external });
  bundle.inputs.forEach(onInput);
  const file = shownPath(entry.code, cwd);
  const configuration = await resolveConfiguration(entry, options);
  if (!options.allowSecrets) {
    const found = [...(await scanSources(bundle, cwd)), ...scanConfiguration(entry, configuration)];
    if (found.length > 0) throw new ReactorCodeError(`${file} seems to hold a secret.`, found, SECRETS_HINT);
  }
  // Code that needs another runtime's modules cannot be loaded here.
  const problem = entry.external.length > 0 ? undefined : await options.loader?.load(bundle.code, file);
  if (problem) throw new ReactorCodeError(`${file} is no working reactor.`, [{ file, ...problem }]);
  const { code, minified } = bundle;
  return { name: entry.name, file, code, configuration, application: entry.application, minified };
}
