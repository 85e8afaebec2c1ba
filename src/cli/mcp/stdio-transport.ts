import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { fieldErrors } from '../../contract/validation.js';

/** Twice what an operation accepts. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Requests whose parameters are checked here: the library would answer with the JSON text of a validation error. */
const REQUEST_SCHEMAS = new Map(
  [InitializeRequestSchema, ListToolsRequestSchema, CallToolRequestSchema].map((schema) => [
    schema.shape.method.value as string,
    schema,
  ]),
);

/**
 * Carries messages of one client over stdin and stdout, one per line. A line that is not a message is answered with an error of
 * JSON-RPC 2.0, where the library's own transport is silent, and ends at a line that is too long.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  /** The parts of an unfinished line, unless it is too long. */
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(
    private readonly stdin: Readable,
    private readonly stdout: Writable,
  ) {}

  async start(): Promise<void> {
    this.stdin.on('data', this.#read).on('end', this.#readRest);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
  }

  async close(): Promise<void> {
    this.stdin.off('data', this.#read).off('end', this.#readRest).pause();
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#append(rest.subarray(0, end));
      this.#finishLine();
      rest = rest.subarray(end + 1);
    }
    this.#append(rest);
  };

  readonly #readRest = (): void => {
    if (this.#bytes > 0) this.#finishLine();
  };

  #append(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_MESSAGE_BYTES) this.#parts = [];
    else this.#parts.push(part);
  }

  #finishLine(): void {
    const isTooLong = this.#bytes > MAX_MESSAGE_BYTES;
    const line = Buffer.concat(this.#parts).toString();
    this.#parts = [];
    this.#bytes = 0;
    if (isTooLong)
      this.#refuse(ErrorCode.InvalidRequest, `A message has at most ${MAX_MESSAGE_BYTES} bytes.`);
    else if (line.trim() !== '') this.#receive(line);
  }

  #receive(line: string): void {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      this.#refuse(ErrorCode.ParseError, 'The line is not JSON. A message is one line.');
      return;
    }
    const { data: message } = JSONRPCMessageSchema.safeParse(json);
    if (!message) {
      this.#refuse(ErrorCode.InvalidRequest, 'The message is not a request of JSON-RPC 2.0.');
      return;
    }
    const problem = parameterProblem(message);
    if (problem && 'id' in message) this.#refuse(ErrorCode.InvalidParams, problem, message.id);
    else this.onmessage?.(message);
  }

  #refuse(code: ErrorCode, message: string, id: RequestId | null = null): void {
    void this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: object): Promise<void> {
    const text = `${JSON.stringify(message)}\n`;
    return new Promise((resolve) => {
      if (this.stdout.write(text)) resolve();
      else this.stdout.once('drain', resolve);
    });
  }
}

/** Returns what is wrong with the parameters of a request: `params.name must be a string.` */
function parameterProblem(message: JSONRPCMessage): string | undefined {
  const schema = 'method' in message ? REQUEST_SCHEMAS.get(message.method) : undefined;
  const { error } = schema?.safeParse(message) ?? {};
  if (!error) return undefined;
  const problems = Object.entries(fieldErrors(error)).map(([field, messages]) => `${field} ${messages[0]}`);
  return `${problems.join(', ')}.`;
}
