import type { PerApplication } from '../src/contract/control/state-file.js';
import type { Logger } from './lib/logger.js';
import type { InterceptRequest } from './sandbox/network/fetch-responder.js';
import type { NetworkPolicy } from './sandbox/network/policy.js';
import type { LeakWatch } from './services/leaks/leak-watch.js';
import type { AccessByName } from './services/tenants/seed-tenant.js';
import type { DataKey } from './store/data-key.js';
import type { FileSystem } from './store/files/file-system.js';

/** Options of an emulator: the flags of `emulator start` (cli.md), each with its default. */
export interface EmulatorOptions {
  /** TCP port; 0 selects a free one. Default 8787, or a free one when that is in use. */
  port?: number;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Serves https with this certificate (with its chain) and key, as PEM. Default: http. */
  tls?: { cert: string; key: string };
  /** `https://vault.example`: the URL of the emulator for clients, when a proxy or container has another. Default: where it listens. */
  publicUrl?: string;
  /** Directory of the state file, and of the data unless `memory`. Default: none; nothing outlives the process. */
  dataDir?: string;
  /** Keeps the data in memory only. Keys and the state file are still kept in `dataDir`, if there is one. */
  memory?: boolean;
  /**
   * Keeps the data in a PostgreSQL database, `postgres://user@host:5432/database` without a password. Needs `dataKey`. Keys and
   * the state file are still kept in `dataDir`, if there is one.
   */
  storeUrl?: string;
  /** Milliseconds that a statement of the database may take before it counts as unavailable. Default 30,000. */
  statementTimeoutMs?: number;
  /** `sync` acknowledges a write after fdatasync; `os` leaves syncing to the operating system. Default `sync`. */
  durability?: 'sync' | 'os';
  /** Encrypts token data on disk. The same key is needed to open it again. Default: not encrypted. */
  dataKey?: DataKey;
  /** File system of the data directory. Default: that of the operating system. */
  files?: FileSystem;
  /** Shown to another process that tries to lock the data directory. Default `emulator`. */
  purpose?: string;
  /** Prefix of the service's header names. Default `SVC`. */
  headerPrefix?: string;
  /** Enforces rate limits. Default true. */
  rateLimit?: boolean;
  /** Factor for every rate limit. Default 1. */
  rateLimitScale?: number;
  /** Start time of the clock, in milliseconds since 1970. Default: the machine's time. */
  clock?: number;
  /** Hosts that reactors and callbacks may connect to. Default: loopback. */
  network?: NetworkPolicy;
  /** Answers or sends the requests of reactors instead of the network: a test double. Reactor runtime `quickjs` only. */
  interceptRequest?: InterceptRequest;
  /** Monthly active tokens of the billing plan, for the usage report. Default 50. */
  includedMonthlyTokens?: number;
  /** Runtime of reactors; `node` is for trusted code only. Default `quickjs`. */
  reactorRuntime?: 'quickjs' | 'node';
  /** Runtime `node`: absolute path of the folder whose packages reactors may require. */
  reactorModules?: string;
  /** Names under which reactors may also require a provided module: `{ 'vendor-errors': 'svc-reactor-errors' }`. */
  moduleAliases?: Readonly<Record<string, string>>;
  /** Accepts what current clients send and the specification does not allow; docs/fidelity.md lists it. Default false. */
  lenient?: boolean;
  /** Refuses to store card numbers that are not those of test cards; docs/leaks.md lists them. Default false. */
  refuseRealCards?: boolean;
  /** With `refuseRealCards`: further test numbers, or prefixes of at least six digits: `453914*`. Default: none. */
  allowCards?: readonly string[];
  /** Looks for token data in what leaves the service; docs/leaks.md lists it. Default: none. */
  leakWatch?: LeakWatch;
  /** Remembers the values of tokens, so that the control endpoint `redact` can mask them in a text. Default false. */
  redacts?: boolean;
  /** Permissions or rules of the seeded applications of further tenants, by name, in place of the usual ones. Default: none. */
  tenantAccess?: AccessByName;
  /** Fixed keys for the seeded applications of a fresh data directory. Default: random. */
  keys?: Partial<PerApplication>;
  /**
   * Origins whose pages may call the service's operations: `https://shop.example`, or every port of this machine with
   * `http://localhost:*` and `http://127.0.0.1:*`. Default: none.
   */
  allowOrigins?: readonly string[];
  /**
   * Base URL of a receiver of OpenTelemetry spans, OTLP over HTTP: `http://127.0.0.1:4318`. Default: none; nothing is loaded
   * or recorded.
   */
  otlpEndpoint?: string;
  /** Log for warnings and errors. Default: standard error. */
  logger?: Logger;
}

export const DEFAULT_HOST = '127.0.0.1';
