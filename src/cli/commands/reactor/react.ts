import { randomUUID } from 'node:crypto';
import { headerNames } from '../../../contract/headers.js';
import type { Context } from '../../command.js';
import { parseJsonOrText } from '../../lib/json.js';
import { resolveReactorId } from '../../reactors/plan/lookup.js';
import { type ArgumentOptions, readArguments } from './arguments.js';
import { showTrace } from './shared/trace.js';

export interface ReactOptions extends ArgumentOptions {
  reactor: string | undefined;
  callbackUrl?: string | undefined;
  timeoutMs?: number | undefined;
  trace?: boolean | undefined;
}

export async function run(options: ReactOptions, context: Context): Promise<void> {
  const { client, output } = context;
  const id =
    options.reactor === undefined
      ? await askReactor(context)
      : await resolveReactorId(client, options.reactor);
  const asks = options.reactor === undefined && options.args === undefined && !options.arg;
  const args = asks ? await askArguments(context) : await readArguments(options, context);
  const { callbackUrl, timeoutMs } = options;
  const body = {
    ...(args !== undefined && { args }),
    ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
  };
  const names = headerNames((await client.connection()).headerPrefix);
  const answer = await traced(options.trace, context, (traceId) =>
    client.send('reactors.react', {
      path: { id },
      body,
      ...(traceId !== undefined && { headers: { [names.traceId]: traceId } }),
    }),
  );
  if (answer.status === 202)
    output.notice(
      `Accepted; the result goes to ${callbackUrl} (request id ${answer.headers[names.requestId.toLowerCase()] ?? 'none'}).`,
    );
  await output.result(answer.body, { redaction: 'reaction' });
}

/** With `--trace` the call gets a trace id of ours, so that a failed one can be looked up too. */
async function traced<Result>(
  trace: boolean | undefined,
  context: Context,
  call: (traceId: string | undefined) => Promise<Result>,
): Promise<Result> {
  if (!trace) return call(undefined);
  const traceId = randomUUID();
  const start = performance.now();
  try {
    return await call(traceId);
  } finally {
    await showTrace(traceId, performance.now() - start, context);
  }
}

async function askReactor({ client, prompts }: Context): Promise<string> {
  // Without a terminal there is no need to look: the prompt refuses and names the argument.
  const reactors = prompts.interactive
    ? (await client.call('reactors.list', { query: { size: 100 } })).data
    : [];
  return prompts.select({
    flag: '<reactor>',
    message: 'Reactor',
    choices: reactors.map(({ id, name }) => ({ name, value: id, description: id })),
  });
}

async function askArguments({ prompts }: Context): Promise<Record<string, unknown>> {
  const args: Record<string, unknown> = {};
  for (;;) {
    const name = await prompts.text({ flag: '--arg', message: 'Argument name (empty: no more)' });
    if (name === '') return args;
    const value = await prompts.text({
      flag: '--arg',
      message: `Value of ${name} (JSON, text, or {{ token id }})`,
    });
    args[name] = parseJsonOrText(value, `--arg ${name}`);
  }
}
