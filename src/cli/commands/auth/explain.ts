import { describeAccess } from '../../../client/explanations.js';
import type { AccessExplanation } from '../../../contract/control/access.js';
import type { Context } from '../../command.js';
import { readRunningState } from '../../config/state-file.js';
import { CliError } from '../../lib/errors.js';
import { escapeControls } from '../../output/style.js';
import { fold } from '../../output/text-width.js';
import type { View } from '../../output/view.js';
import { callControl } from '../shared/running-emulator.js';

/** Explains why the requests under a trace id were refused, or what they were shown, rule by rule. */
export async function run({ traceId }: { traceId: string }, context: Context) {
  await assertEmulator(context);
  const explanation = await callControl(context, 'access.explain', { path: { traceId } });
  await context.output.result(explanation, VIEW);
}

/** @throws {CliError} when the target is not the emulator of this directory */
async function assertEmulator({ client, settings }: Context): Promise<void> {
  const state = await readRunningState(settings);
  const { transport, name = transport.url } = await client.connection();
  if (state !== undefined && transport.url === state.base_url) return;
  throw new CliError(
    'failed',
    `Only an emulator records why it refused a request, and ${name} is not the emulator of this directory.`,
    {
      hint: 'Repeat the request on an emulator of the same applications: tokenctl emulator start --seed tokenctl.yaml',
    },
  );
}

/** Columns that text keeps on the narrowest terminal. */
const MIN_WIDTH = 20;

const VIEW: View = {
  redaction: 'plain',
  render: (explanation: AccessExplanation, style, width) =>
    describeAccess(explanation, {
      ...style,
      escape: escapeControls,
      fold: (text, indent) => fold(text, Math.max(width - indent, MIN_WIDTH)),
    }),
};
