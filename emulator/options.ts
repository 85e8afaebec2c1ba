import type { Logger } from './logger.js';
import type { NetworkPolicy } from './sandbox/network/policy.js';
import type { PerApplication } from './tenant-seed.js';

/** How an emulator is to run: the flags of `emulator start` (cli.md), each with its default. */
export interface EmulatorOptions {
  /** TCP port; 0 picks a free one. Default 8787. */
  port?: number;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** What the service's headers start with. Default `SVC`. */
  headerPrefix?: string;
  /** The time to begin with, in milliseconds since 1970; runs on from there. Default: the machine's. */
  clock?: number;
  /** What reactors and callbacks may connect to. Default: loopback. */
  network?: NetworkPolicy;
  /** Monthly active tokens of the billing plan, for the usage report. Default 50. */
  includedMonthlyTokens?: number;
  /** Fixed keys for the seeded applications of a fresh data directory. Default: random. */
  keys?: Partial<PerApplication>;
  /** Origins whose pages may call the service's operations, `https://shop.example`. Default: none. */
  allowOrigins?: readonly string[];
  /** Where warnings and errors go. Default: standard error. */
  logger?: Logger;
}
