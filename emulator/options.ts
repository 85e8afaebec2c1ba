import type { PerApplication } from '../src/contract/control/state-file.js';
import type { Logger } from './lib/logger.js';
import type { NetworkPolicy } from './sandbox/network/policy.js';
import type { FileSystem } from './store/files/file-system.js';
import type { DataKey } from './store/manifest.js';

/** Options of an emulator: the flags of `emulator start` (cli.md), each with its default. */
export interface EmulatorOptions {
  /** TCP port; 0 selects a free one. Default 8787. */
  port?: number;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Directory of the state file, and of the data unless `memory`. Default: none; nothing outlives the process. */
  dataDir?: string;
  /** Keeps the data in memory only. Keys and the state file are still kept in `dataDir`, if there is one. */
  memory?: boolean;
  /**
   * Keeps the data in a PostgreSQL database, `postgres://user@host:5432/database` without a password. Needs `dataKey`. Keys and
   * the state file are still kept in `dataDir`, if there is one.
   */
  storeUrl?: string;
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
  /** Monthly active tokens of the billing plan, for the usage report. Default 50. */
  includedMonthlyTokens?: number;
  /** Runtime of reactors; `node` is for trusted code only. Default `quickjs`. */
  reactorRuntime?: 'quickjs' | 'node';
  /** Runtime `node`: absolute path of the folder whose packages reactors may require. */
  reactorModules?: string;
  /** Accepts what current clients send and the specification does not allow; docs/fidelity.md lists it. Default false. */
  lenient?: boolean;
  /** Fixed keys for the seeded applications of a fresh data directory. Default: random. */
  keys?: Partial<PerApplication>;
  /**
   * Origins whose pages may call the service's operations: `https://shop.example`, or every port of this machine with
   * `http://localhost:*` and `http://127.0.0.1:*`. Default: none.
   */
  allowOrigins?: readonly string[];
  /** Log for warnings and errors. Default: standard error. */
  logger?: Logger;
}

export const DEFAULT_PORT = 8787;
export const DEFAULT_HOST = '127.0.0.1';
