import {
  EMULATOR_OPTIONS,
  type EmulatorOption,
  type EmulatorSettings,
  isHttpUrl,
} from '../src/contract/emulator-options.js';
import type { Logger } from './lib/logger.js';
import { StartError } from './lib/start-error.js';
import type { NetworkPolicy } from './sandbox/network/policy.js';
import type { InterceptRequest } from './sandbox/network/request-report.js';
import type { Inspector } from './sandbox/sandbox.js';
import type { LeakWatch } from './services/leaks/leak-watch.js';
import type { AccessByName } from './services/tenants/seed-tenant.js';
import type { DataKey } from './store/data-key.js';
import type { FileSystem } from './store/files/file-system.js';

/** Options of an emulator: its settings, each with its default, and what a program passes in addition. */
export interface EmulatorOptions extends EmulatorSettings {
  /** Encrypts token data on disk. The same key is needed to open it again. Default: not encrypted. */
  dataKey?: DataKey;
  /** File system of the data directory. Default: that of the operating system. */
  files?: FileSystem;
  /** Shown to another process that tries to lock the data directory. Default `emulator`. */
  purpose?: string;
  /** Hosts that reactors and callbacks may connect to. Default: loopback. */
  network?: NetworkPolicy;
  /** Answers or sends the requests of reactors instead of the network: a test double. */
  interceptRequest?: InterceptRequest;
  /** Opens the inspector of Node.js for the code of reactors, which has no time limit then. Needs `reactorRuntime: 'node'`. */
  inspector?: Inspector;
  /** Looks for token data in what leaves the service; docs/leaks.md lists it. Default: none. */
  leakWatch?: LeakWatch;
  /** Permissions or rules of the seeded applications of further tenants, by name, in place of the usual ones. Default: none. */
  tenantAccess?: AccessByName;
  /** Called when the control endpoint `stop` is requested. Default: the endpoint answers 404. */
  onStop?: () => void;
  /** Options by flag, which the state file has while the emulator runs. Default: none. */
  startedWith?: Record<string, string>;
  /** Log for warnings and errors. Default: standard error. */
  logger?: Logger;
}

export const DEFAULT_HOST = '127.0.0.1';

/** Checks the values of options before anything is opened. @throws {StartError} `invalid_option`; it never repeats the value */
export function checkOptions(options: EmulatorOptions): void {
  for (const [flag, row] of Object.entries(EMULATOR_OPTIONS)) {
    const name = row.setting ?? (flag as keyof EmulatorSettings);
    const value = options[name];
    const { list, isValid = () => true }: EmulatorOption = row;
    const isAccepted = list ? Array.isArray(value) && value.every(isValid) : isValid(value);
    if (value === undefined || isAccepted) continue;
    throw invalidOption(name, list ? `must be an array; each item ${row.rule}` : row.rule);
  }
  if (!Object.values(options.network?.redirects ?? {}).every(isHttpUrl))
    throw invalidOption(
      'network',
      'must redirect hosts to http or https URLs, such as http://127.0.0.1:4010',
    );
}

function invalidOption(name: keyof EmulatorOptions, rule: string | undefined): StartError {
  return new StartError('invalid_option', `The option ${name} ${rule}.`);
}
