import { availableParallelism, totalmem } from 'node:os';
import { createLogger } from '../lib/logger.js';
import type { Invocation, LoadRequest } from './invocation.js';
import { DEBUGGING_LIMITS, DEFAULT_LIMITS, type SandboxLimits } from './limits.js';
import type { NetworkPolicy } from './network/policy.js';
import { createFetchResponder, type InterceptRequest } from './network/request-report.js';
import { PackageProvider } from './packages/package-provider.js';
import { loadEngine } from './pool/built-files.js';
import { Instance } from './pool/instance.js';
import { Pool } from './pool/pool.js';
import { Runner, type SandboxLogger } from './pool/runner.js';
import type { CodeOrigin, GuestNames, InspectorAddress } from './protocol.js';

export interface Inspector extends InspectorAddress {
  /** Finds out where code comes from; undefined if that is not known. Never rejects. */
  findOrigin(code: string): Promise<CodeOrigin | undefined>;
}

export interface SandboxOptions {
  /** `node` runs trusted code that needs packages built on Node.js; it is no security boundary. */
  runtime: 'quickjs' | 'node';
  /** Absolute path of the folder whose node_modules `require` searches. Runtime `quickjs` gets what it finds there bundled. */
  modulesDir?: string;
  names?: GuestNames;
  /** Source of `Date` in reactor code, in milliseconds since the epoch. Deadlines use the machine's clock. */
  clock?: { now(): number };
  network: NetworkPolicy;
  /** Answers or sends the requests of reactors instead of the network. Runtime `quickjs` only. */
  interceptRequest?: InterceptRequest;
  /** Opens the inspector of Node.js in the thread that runs code. Invocations have no time limit then. Runtime `node` only. */
  inspector?: Inspector;
  limits?: Partial<SandboxLimits>;
  /** Standard error by default. */
  logger?: SandboxLogger;
}

/** Few cores leave each running instance too little time, and every one may fill its memory. */
const INSTANCES_PER_CORE = 8;
/** The part of the memory, of the machine or the container, that running instances may fill. */
const MEMORY_SHARE = 1 / 2;

function instancesOfMachine(): number {
  const { instances, memoryBytes } = DEFAULT_LIMITS;
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const thatFit = Math.max(1, Math.floor((memory * MEMORY_SHARE) / memoryBytes));
  return Math.min(instances, INSTANCES_PER_CORE * availableParallelism(), thatFit);
}

/** Creates a sandbox, which starts workers on demand. Failures of the code are part of the outcome. */
export function createSandbox(options: SandboxOptions) {
  const { runtime, network, modulesDir, names, interceptRequest, inspector } = options;
  const machine = { instances: instancesOfMachine() };
  const limits = { ...DEFAULT_LIMITS, ...machine, ...options.limits, ...(inspector && DEBUGGING_LIMITS) };
  const { logger = createLogger(), clock = Date } = options;
  const fetchesOnHost = interceptRequest !== undefined;
  const given = {
    ...(modulesDir !== undefined && { modulesDir }),
    ...(names && { names }),
    ...(inspector && { inspector: addressOf(inspector) }),
  };
  const pool = new Pool(() => {
    const engine = runtime === 'quickjs' ? loadEngine() : undefined;
    const warn = (message: string) => logger.warn(message);
    return new Instance({ runtime, network, fetchesOnHost, limits, ...given }, engine, warn);
  }, limits);
  const needsPackages = runtime === 'quickjs' && modulesDir !== undefined;
  const runner = new Runner({
    pool,
    limits,
    clock,
    logger,
    findOrigin: inspector?.findOrigin,
    respondToFetch: interceptRequest && createFetchResponder(interceptRequest, network, limits),
    packages: needsPackages ? new PackageProvider(modulesDir, names?.modules) : undefined,
  });
  return {
    /** Runs one invocation. Resolves within `timeoutMs` + `limits.graceMs`. */
    invoke: (invocation: Invocation) => runner.invoke(invocation),
    /** Loads the code and keeps the instance warm. @returns undefined if there is a function to call, else the failure */
    load: (reactor: LoadRequest) => runner.load(reactor),
    /** Terminates the idle instances of a reactor, and the running ones when they are done. Call on update and delete. */
    retire: (reactorId: string) => pool.retire(reactorId),
    /** Starts the spare instance, so that the first invocation need not wait for one. Resolves when it is ready. */
    warm: () => pool.prepareSpare(),
    /** Counters for metrics, tests and benchmarks. */
    stats: () => ({ ...pool.stats(), outcomes: runner.outcomes }),
    /** Cancels all invocations and terminates all workers. Resolves within `limits.terminateMs`. */
    close: () => runner.close(),
  };
}

export type Sandbox = ReturnType<typeof createSandbox>;

/** The part of the options that a thread can receive. */
const addressOf = ({ host, port, waits }: InspectorAddress): InspectorAddress => ({ host, port, waits });
