import { DEFAULT_HEADER_PREFIX } from '../src/contract/headers.js';
import { openStorage } from './data-dir/open-storage.js';
import type { Stub } from './doubles/stub.js';
import { createHttpsFactory, type ServerFactory } from './http/listen.js';
import { type AdjustableClock, createClock } from './lib/clock.js';
import { createIds, type Ids } from './lib/ids.js';
import { createLogger, type Logger } from './lib/logger.js';
import { TenantClocks } from './lib/tenant-clocks.js';
import type { Context } from './operations/context.js';
import { checkOptions, type EmulatorOptions } from './options.js';
import { DEFAULT_LIMITS } from './sandbox/limits.js';
import type { NetworkPolicy } from './sandbox/network/policy.js';
import type { GuestNames } from './sandbox/protocol.js';
import { createSandbox, type Sandbox } from './sandbox/sandbox.js';
import { StoreCounters } from './services/counters.js';
import { Redaction } from './services/leaks/redaction.js';
import type { Snapshots } from './services/snapshots.js';
import { checkKeys } from './services/tenants/seed-tenant.js';
import type { Tracing } from './services/tracing/tracing.js';
import type { Store, StoreProbe } from './store/store.js';

/** A name that no host has. */
const DEFAULT_PROCESSOR = 'processor.example';

/** What the services of an emulator are built on. It must be closed when the start fails. */
export interface Infrastructure {
  logger: Logger;
  clock: AdjustableClock;
  clocks: TenantClocks;
  ids: Ids;
  /** Services commit through the pipeline on it (commit-pipeline.ts). */
  store: Store;
  commits: StoreCounters;
  snapshots: Snapshots;
  probeStore: StoreProbe;
  sandbox: Sandbox;
  /** Masks token data in texts; undefined unless the options ask for it. */
  redaction: Redaction | undefined;
  /** Hosts that reactors and callbacks may connect to. */
  network: NetworkPolicy;
  tracing: Tracing | undefined;
  httpsFactory: ServerFactory | undefined;
  /** Servers that stand for hosts. */
  doubles: readonly Stub[];
}

/** Opens what must be closed again. A sandbox instance starts first, while data is loaded. Goal R2: 148 → 48 ms. */
export async function openInfrastructure(
  options: EmulatorOptions,
  { warmSandbox }: { warmSandbox: boolean },
): Promise<Infrastructure> {
  checkOptions(options);
  checkKeys(options.keys ?? {});
  const httpsFactory = options.tls && (await createHttpsFactory(options.tls));
  const logger = options.logger ?? createLogger();
  const clock = createClock(logger, options.clock);
  const processor = await openProcessor(options);
  const network = networkOf(options, processor);
  const interceptor = await openInterceptor(options, network);
  const sandbox = createSandbox({
    runtime: options.reactorRuntime ?? 'quickjs',
    ...(options.reactorModules !== undefined && { modulesDir: options.reactorModules }),
    names: guestNames(options),
    clock,
    network: interceptor?.network ?? network,
    ...(options.interceptRequest && !interceptor && { interceptRequest: options.interceptRequest }),
    ...(options.inspector && { inspector: options.inspector }),
    ...(options.leakWatch && { limits: { reportedBodyBytes: DEFAULT_LIMITS.fetchBodyBytes } }),
    logger,
  });
  if (warmSandbox) void sandbox.warm();
  try {
    const { store, snapshots, probe } = await openStorage(options, logger);
    const tracing = await openTracing(options, logger);
    return {
      logger,
      clock,
      clocks: new TenantClocks(clock, store.shared),
      ids: createIds(),
      store,
      commits: new StoreCounters(),
      snapshots,
      probeStore: probe,
      sandbox,
      redaction: options.redacts ? new Redaction() : undefined,
      network,
      doubles: [processor, interceptor?.stub].filter((one) => one !== undefined),
      tracing,
      httpsFactory,
    };
  } catch (error) {
    await sandbox.close();
    await processor?.close();
    await interceptor?.stub.close();
    throw error;
  }
}

/** The client of reactors is named after the service's headers: `req.bt` with the prefix `BT`, in addition to `req.svc`. */
function guestNames({ headerPrefix = DEFAULT_HEADER_PREFIX, moduleAliases }: EmulatorOptions): GuestNames {
  const client = headerPrefix.toLowerCase();
  const isTaken = ['args', 'configuration', 'svc'].includes(client);
  return { ...(!isTaken && { client }), ...(moduleAliases && { modules: moduleAliases }) };
}

async function openProcessor({ withProcessor }: EmulatorOptions): Promise<Stub | undefined> {
  if (withProcessor === undefined) return undefined;
  const { startProcessor } = await import('./doubles/processor.js');
  return startProcessor();
}

/** Sends what goes to the host of the processor to its double. */
function networkOf({ network, withProcessor }: EmulatorOptions, processor: Stub | undefined): NetworkPolicy {
  const policy = network ?? { mode: 'loopback' };
  if (!processor) return policy;
  const host = typeof withProcessor === 'string' ? withProcessor.toLowerCase() : DEFAULT_PROCESSOR;
  return { ...policy, redirects: { ...policy.redirects, [host]: processor.url } };
}

/** Intercepts requests of runtime `node`; those of the other one are answered by the sandbox. */
async function openInterceptor(
  { interceptRequest, reactorRuntime }: EmulatorOptions,
  network: NetworkPolicy,
) {
  if (!interceptRequest || reactorRuntime !== 'node') return undefined;
  const { startInterceptor } = await import('./doubles/interceptor.js');
  return startInterceptor(interceptRequest, network, DEFAULT_LIMITS.fetchBodyBytes);
}

async function openTracing({ otlpEndpoint }: EmulatorOptions, logger: Logger): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { createOtlpTracing } = await import('./services/tracing/otlp-tracing.js');
  return createOtlpTracing(otlpEndpoint, logger);
}

/** Closing the sandbox ends running invocations; their results are stored and delivered after the next start. */
export async function closeInfrastructure(
  { clock, doubles, sandbox, store, tracing }: Infrastructure,
  pending?: Pick<Context, 'webhookQueue' | 'results'>,
): Promise<void> {
  clock.stop();
  pending?.webhookQueue.stop();
  await sandbox.close();
  await pending?.webhookQueue.drain();
  await pending?.results.drain();
  await store.close();
  await tracing?.close();
  for (const double of doubles) await double.close();
}
