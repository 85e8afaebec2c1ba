import { describeAccess } from '../../../client/explanations.js';
import type { AccessExplanation } from '../../../contract/control/access.js';
import type { RequestEvent } from '../../../contract/control/events.js';
import type { Context } from '../../command.js';
import { CliError, usageError } from '../../lib/errors.js';
import { escapeControls } from '../../output/style.js';
import { fold } from '../../output/text-width.js';
import type { PlainView } from '../../output/view.js';
import { callControl, targetEmulator } from '../shared/running-emulator.js';

interface ExplainOptions {
  traceId: string | undefined;
  last?: boolean | undefined;
}

export async function run(options: ExplainOptions, context: Context) {
  if ((options.traceId === undefined) !== (options.last === true))
    throw usageError('Give either the trace ID of a request or --last.', 'tokenctl auth explain --last');
  await assertEmulator(context);
  const traceId = options.traceId ?? (await findLast(context));
  const explanation = await callControl(context, 'access.explain', { path: { traceId } });
  await context.output.plain(explanation, VIEW);
}

async function findLast(context: Context): Promise<string> {
  const { requests } = await callControl(context, 'requests.list', {});
  const isRefused = ({ status }: RequestEvent) => status === 401 || status === 403;
  const last = requests.findLast(isRefused) ?? requests.at(-1);
  if (last) return last.trace_id;
  throw new CliError('not_found', 'The emulator has no recent request.');
}

async function assertEmulator(context: Context): Promise<void> {
  if (await targetEmulator(context)) return;
  const { transport, name = transport.url } = await context.client.connection();
  throw new CliError(
    'failed',
    `Only an emulator records why it refused a request, and ${name} is not the emulator of this directory.`,
    {
      hint: 'Repeat the request on an emulator with the same applications: tokenctl emulator start --seed tokenctl.yaml',
    },
  );
}

/** Columns that text keeps on the narrowest terminal. */
const MIN_WIDTH = 20;

const VIEW: PlainView = {
  render: (explanation: AccessExplanation, style, width) =>
    describeAccess(explanation, {
      ...style,
      escape: escapeControls,
      fold: (text, indent) => fold(text, Math.max(width - indent, MIN_WIDTH)),
    }),
};
