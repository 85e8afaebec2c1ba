import type { Context } from '../../context.js';
import { usageError } from '../../failure.js';
import { readJson, refusePlaceholder } from '../shared/input.js';
import { reactorId } from '../shared/reactor.js';
import { type ReactorOptions, reactorBody } from './body.js';

export interface UpdateOptions extends ReactorOptions {
  reactor: string;
  patch?: string | undefined;
}

export async function run(options: UpdateOptions, context: Context): Promise<void> {
  const { client, output } = context;
  const whole = options.patch === undefined ? {} : await readJson(options.patch, '--patch', context);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw usageError('--patch must be a JSON object.');
  const body = { ...whole, ...(await reactorBody(options, context)) };
  if (Object.keys(body).length === 0)
    throw usageError(
      'There is nothing to update.',
      'Give --patch, --name, --code, --config or another flag.',
    );
  refusePlaceholder(body);
  const id = await reactorId(options.reactor, client);
  await client.call('reactors.update', { path: { id }, body });
  output.notice(`Updated reactor ${options.reactor}.`);
}
