import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Connection } from '../../client/connection.js';
import { isLoopback } from '../../client/transport.js';
import type { Context } from '../command.js';
import { isLocalTarget, resolveTarget } from '../config/target.js';
import { clientFor, connectTo } from '../connect.js';
import { usageError } from '../lib/errors.js';
import { toFailure } from '../lib/to-failure.js';
import { EMULATOR_TOOLS } from '../mcp/emulator-tools.js';
import { type Arguments, operationTools, type RunnableTool, schemaTool } from '../mcp/operation-tools.js';
import { callOperation } from '../mcp/tool-input.js';
import { failureJson } from '../output/failure.js';
import { withControl } from './shared/running-emulator.js';

export async function run({ allowWrite = false }: { allowWrite?: boolean | undefined }, context: Context) {
  const { settings } = context;
  if (settings.profile !== undefined) await resolveTarget(settings);
  const operations = operationTools(allowWrite);
  const tools: RunnableTool[] = operations.map((tool) => ({
    ...tool,
    run: (input) => {
      // Connects for every call: the emulator may start after the agent, or restart.
      const client = clientFor(context, () => connect(context));
      return callOperation(client, tool, input).finally(() => client.close());
    },
  }));
  if (allowWrite) tools.push(schemaTool(operations));
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

const INSTRUCTIONS = `Tools for a tokenization service or its local emulator. Token data is always masked, and keys and
configuration values are always hidden; [hidden] stands for them and cannot be sent back. To use token data, write a
reactor, or run the application. Ids, metadata and containers are shown. The start of a further page is pagination.next of
the one before; pages count from 1. A refusal names the permission that is missing; emulator_explain says which rule decided.`;

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

async function callTool(tool: RunnableTool, input: Arguments): Promise<CallToolResult> {
  try {
    return textResult(JSON.stringify(await tool.run(input)));
  } catch (error) {
    return { ...textResult(failureJson(toFailure(error))), isError: true };
  }
}

const SHOWN_NAME_CHARACTERS = 100;

/** The library's own class of errors would put its code into the sentence. */
function unknownTool(name: string): Error {
  const message = `There is no tool ${JSON.stringify(name.slice(0, SHOWN_NAME_CHARACTERS))}. The method tools/list lists them; those that write need --allow-write.`;
  return Object.assign(new Error(message), { code: ErrorCode.InvalidParams });
}

/** Never called. The validator is for forms that a server sends to its client. */
const noForms = {
  getValidator() {
    throw new Error('This server sends no forms.');
  },
};

/** Serves tools to one client over stdin and stdout, until the client closes stdin. @param signal ends it earlier */
async function serveTools(
  tools: readonly RunnableTool[],
  version: string,
  stdin: Readable,
  signal: AbortSignal,
): Promise<void> {
  const server = new Server(
    { name: 'tokenctl', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: noForms },
  );
  const running = new Set<Promise<CallToolResult>>();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, annotations }) => ({
      ...{ name, description, inputSchema, annotations },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = byName.get(params.name);
    if (!tool) throw unknownTool(params.name);
    const call = callTool(tool, params.arguments ?? {});
    running.add(call);
    return call.finally(() => running.delete(call));
  });
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve);
    server.onclose = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport(stdin, process.stdout));
  await ended;
  // The requests that came just before the end have not reached their handlers yet.
  await setImmediate();
  await Promise.all(running);
  await setImmediate();
  await server.close();
  signal.throwIfAborted();
}
