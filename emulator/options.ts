import type { Logger } from './lib/logger.js';
import type { NetworkPolicy } from './sandbox/network/policy.js';
import type { PerApplication } from './services/tenants/seed-tenant.js';
import type { FileSystem } from './store/files/file-system.js';
import type { DataKey } from './store/manifest.js';

/** How an emulator is to run: the flags of `emulator start` (cli.md), each with its default. */
export interface EmulatorOptions {
  /** TCP port; 0 picks a free one. Default 8787. */
  port?: number;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Where the state file is, and the data unless `memory`. Default: nowhere; everything is forgotten at the end. */
  dataDir?: string;
  /** Keeps the data in memory only; keys and the state file stay in `dataDir`, if there is one. */
  memory?: boolean;
  /** `sync` answers a write when the disk has it; `os` leaves that to the system. Default `sync`. */
  durability?: 'sync' | 'os';
  /** Encrypts token data on disk; the same key opens it again. Default: not encrypted. */
  dataKey?: DataKey;
  /** What keeps the files of the data directory. Default: the operating system. */
  files?: FileSystem;
  /** Told to another process that wants the data directory. Default `emulator`. */
  purpose?: string;
  /** What the service's headers start with. Default `SVC`. */
  headerPrefix?: string;
  /** false: no request is rate limited. Default true. */
  rateLimit?: boolean;
  /** Multiplies every rate limit. Default 1. */
  rateLimitScale?: number;
  /** The time to begin with, in milliseconds since 1970; runs on from there. Default: the machine's. */
  clock?: number;
  /** What reactors and callbacks may connect to. Default: loopback. */
  network?: NetworkPolicy;
  /** Monthly active tokens of the billing plan, for the usage report. Default 50. */
  includedMonthlyTokens?: number;
  /** What runs reactors; `node` is for trusted code only. Default `quickjs`. */
  reactorRuntime?: 'quickjs' | 'node';
  /** Runtime `node`: the folder whose packages reactors may require; an absolute path. */
  reactorModules?: string;
  /** Fixed keys for the seeded applications of a fresh data directory. Default: random. */
  keys?: Partial<PerApplication>;
  /** Origins whose pages may call the service's operations, `https://shop.example`. Default: none. */
  allowOrigins?: readonly string[];
  /** Where warnings and errors go. Default: standard error. */
  logger?: Logger;
}

export const DEFAULT_PORT = 8787;
export const DEFAULT_HOST = '127.0.0.1';
