import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { ZodError } from 'zod';
import { fieldErrors } from '../../contract/validation.js';

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
export function createTransport(stdin: Readable, stdout: Writable): Transport {
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
