import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import { CONTROL_PREFIX } from '../../contract/control/endpoints.js';
import { controlSchemas } from '../../contract/control/schemas.js';
import { headerNames } from '../../contract/headers.js';
import type { ModuleAliases } from '../../contract/reactor-runtime.js';
import type { OperationInput, Reactor } from '../../contract/schemas/index.js';
import { DEBUGGING_MS } from '../../contract/with-timeout.js';
import { createInProcessClient } from './in-process-client.js';
import { type Emulator, type EmulatorOptions, type InterceptRequest, openEmulator } from './launch.js';

export interface ConsoleLine {
  level: string;
  message: string;
}

export interface InvocationResult {
  status: number;
  body: unknown;
  console: ConsoleLine[];
  /** Frames of the error that the code threw, the innermost first: `at charge (reactor.js:8:13)`. */
  stack: string[];
  durationMs: number;
}

interface RunnerSetup {
  reactor: Pick<OperationInput<'reactors.create'>['body'], 'name' | 'code' | 'runtime'> & {
    configuration?: Record<string, string> | undefined;
  };
  tokens: OperationInput<'tokens.create'>['body'][];
  applications: OperationInput<'applications.create'>['body'][];
  /** The application whose key the code gets as `svc`; undefined for none. */
  application: OperationInput<'applications.create'>['body'] | undefined;
  /** Hosts that the code may reach; true for any, false for this machine only. */
  allowNet: readonly string[] | boolean;
  moduleAliases?: ModuleAliases | undefined;
  /** Names the client of the code, in addition to `svc`. */
  headerPrefix?: string | undefined;
  interceptRequest?: InterceptRequest | undefined;
  /** Directory from which Node.js loads packages in place of the sandbox. For trusted code only. */
  modulesDir: string | undefined;
  /** Lets a debugger attach to the code, which needs `modulesDir`. */
  inspector?: EmulatorOptions['inspector'] | undefined;
}

/** Runs a reactor as the service would: in an in-memory emulator, without a socket. */
export type ReactorRunner = Awaited<ReturnType<typeof openReactorRunner>>;

function networkOf(allowNet: RunnerSetup['allowNet']): NonNullable<EmulatorOptions['network']> {
  if (allowNet === true) return { mode: 'open' };
  return allowNet === false ? { mode: 'loopback' } : { mode: 'hosts', hosts: allowNet };
}

async function prepare(client: Client, setup: RunnerSetup): Promise<Reactor> {
  const { tokens, applications, application, reactor } = setup;
  for (const body of applications) await client.call('applications.create', { body });
  for (const body of tokens) await client.call('tokens.create', { body });
  const own = application && (await client.call('applications.create', { body: application }));
  const { name, code, configuration = {}, runtime } = reactor;
  const body = { name, code, configuration, runtime, ...(own && { application: { id: own.id } }) };
  return client.call('reactors.create', { body });
}

/** Replaces the reactor's configuration. Callers skip this if nothing changes, so that the instance stays warm. */
async function configure(client: Client, reactor: Reactor, configuration: Record<string, string>) {
  const { id, name, code, application, runtime } = reactor;
  const body = { name, code, configuration, runtime, ...(application && { application }) };
  return client.call('reactors.replace', { path: { id }, body });
}

export async function openReactorRunner(setup: RunnerSetup, signal: AbortSignal) {
  const { modulesDir, allowNet, moduleAliases, headerPrefix, interceptRequest, inspector } = setup;
  const emulator = await openEmulator(
    {
      memory: true,
      rateLimit: false,
      network: networkOf(allowNet),
      ...(moduleAliases && { moduleAliases }),
      ...(headerPrefix !== undefined && { headerPrefix }),
      ...(interceptRequest && { interceptRequest }),
      ...(inspector && { inspector }),
      ...(modulesDir !== undefined && { reactorRuntime: 'node', reactorModules: modulesDir }),
    },
    { warmSandbox: true },
  );
  const client = createInProcessClient(emulator, signal, headerPrefix);
  const timeoutMs = inspector && DEBUGGING_MS;
  try {
    let reactor = await prepare(client, setup);
    return {
      async invoke(
        args: Record<string, unknown> | string | undefined,
        configuration: Readonly<Record<string, string>>,
      ): Promise<InvocationResult> {
        if (!isDeepStrictEqual(configuration, reactor.configuration))
          reactor = await configure(client, reactor, { ...configuration });
        const console: ConsoleLine[] = [];
        const unsubscribe = emulator.subscribe((event) => {
          if (event.kind === 'reactor.log') console.push({ level: event.level, message: event.message });
        });
        const traceId = randomUUID();
        const start = performance.now();
        try {
          const answer = await react(client, reactor.id, { args, traceId, timeoutMs });
          const durationMs = performance.now() - start;
          const stack = answer.status < 400 ? [] : await readStack(emulator, traceId);
          return { ...answer, console, stack, durationMs };
        } finally {
          unsubscribe();
        }
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Reads the stack of the error that an invocation threw; empty if it threw none. */
async function readStack({ inject, controlToken }: Emulator, traceId: string): Promise<string[]> {
  const { body } = await inject({
    method: 'GET',
    url: `${CONTROL_PREFIX}/traces/${traceId}`,
    headers: { authorization: `Bearer ${controlToken}` },
  });
  const { traces } = controlSchemas['traces.get'].response.parse(JSON.parse(body));
  return traces.find(({ depth }) => depth === 0)?.stack ?? [];
}

interface ReactOptions {
  args: Record<string, unknown> | string | undefined;
  traceId: string;
  timeoutMs: number | undefined;
}

async function react(
  client: Client,
  id: string,
  { args, traceId, timeoutMs }: ReactOptions,
): Promise<{ status: number; body: unknown }> {
  try {
    const body = args === undefined ? {} : { args };
    const headers = { [headerNames((await client.connection()).headerPrefix).traceId]: traceId };
    const request = { path: { id }, body, headers, timeoutMs };
    const { status, body: result } = await client.send('reactors.react', request);
    return { status, body: result };
  } catch (error) {
    if (error instanceof ServiceError) return { status: error.status, body: error.problem };
    throw error;
  }
}
