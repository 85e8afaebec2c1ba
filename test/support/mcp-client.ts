import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { cleanEnvironment, EXECUTABLE, type RunOptions } from './executable.js';
import { PATIENCE_MS } from './patience.js';

export interface Answer {
  isError: boolean;
  /** The text of the answer, which is JSON. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer.
  json: any;
}

/** A client of `tokenctl mcp`, over stdin and stdout of the real executable. */
export interface McpClient {
  /** The answer to the list of tools, as JSON. */
  tools(): ReturnType<Client['listTools']>;
  call(name: string, input?: Record<string, unknown>): Promise<Answer>;
  stderr(): string;
  close(): Promise<void>;
}

/** Starts `tokenctl mcp` with these flags and connects to it. */
export async function startMcp(args: readonly string[], { cwd, env }: RunOptions): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [EXECUTABLE, 'mcp', ...args],
    cwd,
    env: cleanEnvironment(cwd, env),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    tools: () => client.listTools(),
    async call(name, input = {}) {
      const { content, isError } = await client.callTool({ name, arguments: input }, undefined, {
        timeout: PATIENCE_MS,
      });
      const text = (content as { text: string }[]).map((part) => part.text).join('');
      return { isError: isError === true, text, json: JSON.parse(text) };
    },
    stderr: () => stderr,
    close: () => client.close(),
  };
}
