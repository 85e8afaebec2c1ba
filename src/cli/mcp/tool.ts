/** The arguments of a tool call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool as an agent sees it. */
export interface Tool {
  /** `tokens_create` for the operation `tokens.create`. */
  name: string;
  description: string;
  inputSchema: { type: 'object' } & Record<string, unknown>;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
}

export interface RunnableTool extends Tool {
  /** Returns the answer, which holds nothing that an agent must not see. @throws {CliError | ServiceError} and other client errors */
  run(input: Arguments): Promise<unknown>;
}
