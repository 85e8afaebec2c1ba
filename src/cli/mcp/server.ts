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
import { toFailure } from '../lib/to-failure.js';
import { failureJson } from '../output/failure.js';
import type { Arguments, RunnableTool } from './operation-tools.js';

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
export async function serveTools(
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
