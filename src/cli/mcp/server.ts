import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { ZodError } from 'zod';
import { fieldErrors } from '../../contract/validation.js';
import { toFailure } from '../lib/to-failure.js';
import { failureJson } from '../output/failure.js';
import type { Arguments, RunnableTool } from './operation-tools.js';

const INSTRUCTIONS = `Tools for a tokenization service or its local emulator. Token data is always masked, and keys and
configuration values are always hidden; [hidden] stands for them and cannot be sent back. To use token data, write a
reactor, or run the application. Ids, metadata and containers are shown.`;

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
  await server.connect(createTransport(stdin, process.stdout));
  await ended;
  // The requests that came just before the end have not reached their handlers yet.
  await setImmediate();
  await Promise.all(running);
  await setImmediate();
  await server.close();
  signal.throwIfAborted();
}

/** Requests whose parameters are checked here: the library would answer with the JSON text of a validation error. */
const REQUEST_SCHEMAS = new Map(
  [InitializeRequestSchema, ListToolsRequestSchema, CallToolRequestSchema].map((schema) => [
    schema.shape.method.value as string,
    schema,
  ]),
);

/** Returns the code and the message of the answer to a line that could not be read. */
function describeReadError(error: Error): [code: ErrorCode, message: string] {
  if (error instanceof SyntaxError)
    return [ErrorCode.ParseError, 'The line is not JSON. A message is one line.'];
  if (error instanceof ZodError)
    return [ErrorCode.InvalidRequest, 'The message is not a request of JSON-RPC 2.0.'];
  return [ErrorCode.InvalidRequest, `A message has at most ${STDIO_DEFAULT_MAX_BUFFER_SIZE} bytes.`];
}

/**
 * Carries messages over stdin and stdout as the library does, and answers with an error of JSON-RPC 2.0 where it is silent: to
 * a line that is not a message. It closes after a line that is too long.
 */
function createTransport(stdin: Readable, stdout: Writable): Transport {
  const stdio = new StdioServerTransport(stdin, stdout);
  const transport: Transport = {
    start: () => stdio.start(),
    send: (message) => stdio.send(message),
    close: () => stdio.close(),
  };
  const refuse = (code: ErrorCode, message: string, id: RequestId | null = null): void => {
    // The type of the library has no error without an id.
    void stdio.send({ jsonrpc: '2.0', id, error: { code, message } } as JSONRPCMessage);
  };
  stdio.onmessage = (message) => {
    const problem = parameterProblem(message);
    if (problem && 'id' in message) refuse(ErrorCode.InvalidParams, problem, message.id);
    else transport.onmessage?.(message);
  };
  stdio.onerror = (error) => refuse(...describeReadError(error));
  stdio.onclose = () => transport.onclose?.();
  return transport;
}

/** Returns what is wrong with the parameters of a request: `params.name must be a string.` */
function parameterProblem(message: JSONRPCMessage): string | undefined {
  const schema = 'method' in message ? REQUEST_SCHEMAS.get(message.method) : undefined;
  const { error } = schema?.safeParse(message) ?? {};
  if (!error) return undefined;
  const problems = Object.entries(fieldErrors(error)).map(([field, messages]) => `${field} ${messages[0]}`);
  return `${problems.join(', ')}.`;
}
