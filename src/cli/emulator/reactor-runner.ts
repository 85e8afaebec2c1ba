import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import type { Reactor } from '../../contract/schemas/index.js';
import type { ConsoleLine, ReactorRunner, RunnerSetup } from '../reactors/test/runner.js';
import { clientOf } from './in-process-client.js';
import { type EmulatorOptions, openEmulator } from './launch.js';

function networkOf(allowNet: RunnerSetup['allowNet']): NonNullable<EmulatorOptions['network']> {
  if (allowNet === true) return { mode: 'open' };
  return allowNet === false ? { mode: 'loopback' } : { mode: 'hosts', hosts: allowNet };
}

/** Fills the emulator and creates the reactor in it. */
async function prepare(client: Client, setup: RunnerSetup): Promise<Reactor> {
  const { tokens, applications, application, reactor } = setup;
  for (const body of applications) await client.call('applications.create', { body });
  for (const body of tokens) await client.call('tokens.create', { body });
  const own = application && (await client.call('applications.create', { body: application }));
  const { name, code, configuration = {} } = reactor;
  const body = { name, code, configuration, ...(own && { application: { id: own.id } }) };
  return client.call('reactors.create', { body });
}

/** The configuration of a case may be another; the same is not written again, so that the instance stays warm. */
async function configure(
  client: Client,
  reactor: Reactor,
  configuration: Record<string, string>,
): Promise<Reactor> {
  const { id, name, code, application } = reactor;
  const body = { name, code, configuration, ...(application && { application }) };
  return client.call('reactors.replace', { path: { id }, body });
}

const sameEntries = (one: object, other: object): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** @throws {CliError | ServiceError} when tokens, applications or the reactor are not accepted. */
export async function openReactorRunner(setup: RunnerSetup, signal: AbortSignal): Promise<ReactorRunner> {
  const { modulesDir, allowNet } = setup;
  const emulator = await openEmulator({
    memory: true,
    rateLimit: false,
    network: networkOf(allowNet),
    ...(modulesDir !== undefined && { reactorRuntime: 'node', reactorModules: modulesDir }),
  });
  const client = clientOf(emulator, signal);
  try {
    let reactor = await prepare(client, setup);
    return {
      async invoke(args, configuration) {
        if (!sameEntries(configuration, reactor.configuration))
          reactor = await configure(client, reactor, { ...configuration });
        const console: ConsoleLine[] = [];
        const unsubscribe = emulator.subscribe((event) => {
          if (event.kind === 'reactor.log') console.push({ level: event.level, message: event.message });
        });
        const start = performance.now();
        try {
          const answer = await react(client, reactor.id, args);
          return { ...answer, console, durationMs: performance.now() - start };
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

/** The answer of any status. */
async function react(
  client: Client,
  id: string,
  args: Record<string, unknown> | string | undefined,
): Promise<{ status: number; body: unknown }> {
  try {
    const body = args === undefined ? {} : { args };
    const { status, body: result } = await client.answer('reactors.react', { path: { id }, body });
    return { status, body: result };
  } catch (error) {
    if (error instanceof ServiceError) return { status: error.status, body: error.problem };
    throw error;
  }
}
