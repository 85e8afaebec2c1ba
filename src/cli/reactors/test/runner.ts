import { PERMISSION_NAMES } from '../../../contract/permissions.js';
import type { OperationInput } from '../../../contract/schemas/index.js';
import type { PreparedReactor } from '../build/prepare.js';

/** A line that the code wrote to its console. */
export interface ConsoleLine {
  level: string;
  message: string;
}

/** What one invocation gave. */
export interface InvocationResult {
  /** Of the answer that the service would give. */
  status: number;
  /** The reactor response, or the problem details. */
  body: unknown;
  console: ConsoleLine[];
  durationMs: number;
}

/** What the code runs with. */
export interface RunnerSetup {
  reactor: PreparedReactor;
  tokens: OperationInput<'tokens.create'>['body'][];
  applications: OperationInput<'applications.create'>['body'][];
  /** Whose key the code gets as `svc`; undefined: none. */
  application: OperationInput<'applications.create'>['body'] | undefined;
  /** Whether the code may reach more than this machine; with hosts, these alone. */
  allowNet: readonly string[] | boolean;
  /** Packages that Node.js itself loads from this directory, instead of the sandbox; trusted code only. */
  modulesDir: string | undefined;
}

/** Runs a reactor as the service would, without one: an emulator in memory, without a socket. */
export interface ReactorRunner {
  invoke(
    args: Record<string, unknown> | string | undefined,
    configuration: Readonly<Record<string, string>>,
  ): Promise<InvocationResult>;
  close(): Promise<void>;
}

export type OpenRunner = (setup: RunnerSetup) => Promise<ReactorRunner>;

export const LOCAL_APPLICATION_NAME = 'reactor';

/** Stands for the application that the manifest names: what `svc` may do with it, only the service knows. */
export function localApplication(): NonNullable<RunnerSetup['application']> {
  const permissions = PERMISSION_NAMES.filter((name) => name.startsWith('token:'));
  return { name: LOCAL_APPLICATION_NAME, type: 'private', permissions };
}
