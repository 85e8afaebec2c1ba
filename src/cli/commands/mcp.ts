import packageJson from '../../../package.json' with { type: 'json' };
import type { Connection } from '../../client/connection.js';
import { isLoopback } from '../../client/transport.js';
import type { Context } from '../command.js';
import { isLocalTarget, resolveTarget } from '../config/target.js';
import { clientFor, connectTo } from '../connect.js';
import { usageError } from '../lib/errors.js';
import { EMULATOR_TOOLS } from '../mcp/emulator-tools.js';
import { operationTools, type RunnableTool } from '../mcp/operation-tools.js';
import { serveTools } from '../mcp/server.js';
import { callOperation } from '../mcp/tool-input.js';
import { withControl } from './shared/running-emulator.js';

export async function run({ allowWrite = false }: { allowWrite?: boolean | undefined }, context: Context) {
  const { settings } = context;
  if (settings.profile !== undefined) await resolveTarget(settings);
  const tools: RunnableTool[] = operationTools(allowWrite).map((tool) => ({
    ...tool,
    run: (input) => {
      // Connects for every call: the emulator may start after the agent, or restart.
      const client = clientFor(context, () => connect(context));
      return callOperation(client, tool, input).finally(() => client.close());
    },
  }));
  // A profile names a service that is not the emulator of this directory.
  if (settings.profile === undefined)
    tools.push(
      ...EMULATOR_TOOLS.map((tool) => ({
        ...tool,
        run: (input: Parameters<RunnableTool['run']>[0]) =>
          withControl(context, (control) => tool.read(control, input)),
      })),
    );
  if (settings.terminal.stdin)
    context.output.notice(
      'Waiting for a client on standard input. Agents start this command; Ctrl-C ends it.',
    );
  await serveTools(tools, packageJson.version, process.stdin, context.signal);
}

async function connect({ settings, output, prompts }: Context): Promise<Connection> {
  const connection = await connectTo(settings, { output, prompts });
  const { url } = connection.transport;
  const isHere = isLocalTarget(settings) || isLoopback(url);
  if (isHere || (settings.profile !== undefined && settings.profileSource === '--profile')) return connection;
  throw usageError(
    `The target ${url} is not on this machine, so --profile must name it.`,
    'Add it: tokenctl profile add NAME --base-url URL. Then start: tokenctl mcp --profile NAME',
  );
}
