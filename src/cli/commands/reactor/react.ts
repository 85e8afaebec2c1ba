import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { ServiceError } from '../../../client/errors.js';
import { headerNames } from '../../../contract/headers.js';
import type { OperationInput } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import type { ArgumentFlags } from '../../flags/project-flags.js';
import { attempt } from '../../lib/attempt.js';
import { usageError } from '../../lib/errors.js';
import { parseJsonOrText } from '../../lib/json.js';
import { resolveId } from '../../lib/lookup.js';
import { findManifest } from '../../manifest/manifest.js';
import { REACTION_VIEW } from '../../output/view.js';
import { DeployedPositions } from '../../reactors/build/deployed-positions.js';
import { locateMessage, type SourcePositions } from '../../reactors/build/source-positions.js';
import { resolveConfiguration } from '../../reactors/project/configuration.js';
import { printEvents } from '../shared/events.js';
import { readArguments } from '../shared/project-options.js';
import { showTrace } from './shared/trace.js';

interface ReactOptions extends ArgumentFlags {
  reactor: string | undefined;
  callbackUrl?: string | undefined;
  async?: boolean | undefined;
  timeoutMs?: number | undefined;
  trace?: boolean | undefined;
}

export async function reactTo(options: ReactOptions, context: Context): Promise<void> {
  const { client, output } = context;
  if (options.async && (options.callbackUrl !== undefined || options.trace))
    throw usageError('--async cannot be used with --callback-url or --trace.');
  await keepProjectSecrets(context);
  const id =
    options.reactor === undefined
      ? await promptForReactor(context)
      : await resolveId(client, 'reactor', options.reactor);
  const prompt = options.reactor === undefined && options.args === undefined && !options.arg;
  const args = prompt ? await promptForArguments(context) : await readArguments(options, context);
  const { callbackUrl, timeoutMs } = options;
  const body = { args, timeout_ms: timeoutMs };
  if (options.async) return startReactor(id, body, context);
  const names = headerNames((await client.connection()).headerPrefix);
  const response = await callWithTrace({ trace: options.trace, id }, context, (traceId) =>
    client.send('reactors.react', {
      path: { id },
      body: { ...body, callback_url: callbackUrl },
      ...(traceId !== undefined && { headers: { [names.traceId]: traceId } }),
    }),
  );
  if (response.status === 202)
    output.notice(
      `Accepted. The result will be sent to ${callbackUrl} (request ID ${response.headers[names.requestId.toLowerCase()] ?? 'none'}).`,
    );
  await output.result(response.body, REACTION_VIEW);
}

async function startReactor(
  id: string,
  body: OperationInput<'reactors.reactAsync'>['body'],
  { client, output }: Context,
): Promise<void> {
  const { asyncReactorRequestId } = await client.call('reactors.reactAsync', { path: { id }, body });
  await output.result({ request_id: asyncReactorRequestId }, { redaction: 'plain' });
  output.notice(`Get the result with: tokenctl reactor result ${id} ${asyncReactorRequestId}`);
}

/** Calls with `--trace` under an own trace ID, so that a failed call can be looked up. Errors name positions in the sources. */
async function callWithTrace<Result>(
  { trace, id }: { trace: boolean | undefined; id: string },
  context: Context,
  call: (traceId: string | undefined) => Promise<Result>,
): Promise<Result> {
  const positions = new DeployedPositions(context.client, context.settings.cwd);
  const traceId = trace ? randomUUID() : undefined;
  const start = performance.now();
  const outcome = await attempt(context.signal, () => call(traceId));
  if (traceId === undefined) {
    if (outcome.ok) return outcome.value;
    throw hasPosition(outcome.error)
      ? locateError(outcome.error, [], await positions.find(id))
      : outcome.error;
  }
  const traces = await showTrace(traceId, performance.now() - start, positions, context);
  if (outcome.ok) return outcome.value;
  const stack = traces.find(({ depth }) => depth === 0)?.stack ?? [];
  throw locateError(outcome.error, stack, await positions.find(id));
}

const hasPosition = (error: unknown): boolean =>
  error instanceof ServiceError && /reactor\.js:\d/.test(error.problem.detail ?? '');

function locateError(
  error: unknown,
  stack: readonly string[],
  positions: SourcePositions | undefined,
): unknown {
  if (!(error instanceof ServiceError) || error.problem.detail === undefined || !positions) return error;
  const detail = locateMessage(error.problem.detail, stack, positions);
  return new ServiceError(error.status, { ...error.problem, detail }, error.traceId, error.retryAfter);
}

async function promptForReactor({ client, prompts }: Context): Promise<string> {
  // Without a terminal the prompt throws and names the argument; the list is not needed.
  const reactors = prompts.interactive
    ? (await client.call('reactors.list', { query: { size: 100 } })).data
    : [];
  if (prompts.interactive && reactors.length === 0)
    throw usageError('There are no reactors yet.', 'Deploy one: tokenctl reactor deploy FILE');
  return prompts.select({
    flag: '<reactor>',
    message: 'Reactor',
    choices: reactors.map(({ id, name }) => ({ name, value: id, description: id })),
  });
}

async function promptForArguments({ prompts }: Context): Promise<Record<string, unknown>> {
  const args: Record<string, unknown> = {};
  for (;;) {
    const name = await prompts.text({ flag: '--arg', message: 'Argument name (leave empty to finish)' });
    if (name === '') return args;
    const value = await prompts.text({
      flag: '--arg',
      message: `Value of ${name} (JSON, text, or {{ token id }})`,
    });
    args[name] = parseJsonOrText(value, `--arg ${name}`);
  }
}

export async function getResult(
  { reactor, requestId }: { reactor: string; requestId: string },
  context: Context,
): Promise<void> {
  const { client, output } = context;
  await keepProjectSecrets(context);
  const id = await resolveId(client, 'reactor', reactor);
  const result = await client.call('reactors.result', { path: { id, request_id: requestId } });
  await output.result(result, REACTION_VIEW);
}

export async function showLogs(
  { reactor, follow = false }: { reactor: string; follow?: boolean | undefined },
  context: Context,
): Promise<void> {
  await keepProjectSecrets(context);
  const id = await resolveId(context.client, 'reactor', reactor);
  const positions = new DeployedPositions(context.client, context.settings.cwd);
  await printEvents(
    {
      follow,
      passes: (event) => 'reactor_id' in event && event.reactor_id === id,
      convert: async (event) =>
        event.kind === 'reactor.log'
          ? { ...event, message: await positions.replace(id, event.message) }
          : event,
    },
    context,
  );
}

/** Hides the configuration values of the project, which a reactor may return or throw. A project need not be valid for that. */
async function keepProjectSecrets({ settings }: Context): Promise<void> {
  const { cwd, environment, env } = settings;
  const manifest = await findManifest(cwd, environment).catch(() => undefined);
  if (!manifest) return;
  const sources = { env, directory: dirname(manifest.path), allowCommand: false, config: undefined };
  // What is wrong with one source does not hide the other.
  for (const entry of manifest.reactors)
    for (const part of [entry, { ...entry, configuration: undefined }])
      await resolveConfiguration(part, sources).catch(() => undefined);
}
