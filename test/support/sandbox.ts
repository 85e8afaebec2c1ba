import { createHash } from 'node:crypto';
import { afterAll, onTestFinished } from 'vitest';
import type { Invocation } from '../../emulator/sandbox/invocation.js';
import type { InvocationOutcome } from '../../emulator/sandbox/outcome.js';
import type { Sandbox, SandboxOptions } from '../../emulator/sandbox/sandbox.js';
import { createSandbox } from './emulator.js';

const DEFAULTS: SandboxOptions = { runtime: 'quickjs', network: { mode: 'loopback' } };

/** Creates a sandbox for the tests of a file or block, which is closed after them. */
export function testSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandbox({ ...DEFAULTS, ...options });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** Creates a sandbox for the current test; a hook that `afterAll` registers inside a test never runs. */
export function ownSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandbox({ ...DEFAULTS, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Invokes code as a reactor. The same code is the same reactor. */
export function run(
  sandbox: Sandbox,
  code: string,
  extra: Partial<Invocation> = {},
): Promise<InvocationOutcome> {
  const version = createHash('sha256').update(code).digest('hex');
  return sandbox.invoke({
    reactorId: `reactor-${version}`,
    version,
    code,
    args: null,
    configuration: {},
    svc: null,
    traceId: 'trace',
    timeoutMs: 60_000,
    ...extra,
  });
}

export async function returned(
  sandbox: Sandbox,
  code: string,
  extra: Partial<Invocation> = {},
): Promise<unknown> {
  const outcome = await run(sandbox, code, extra);
  if (outcome.kind !== 'returned') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

/** Wraps a function body as a reactor; code that is a whole reactor is returned unchanged. */
export const asReactor = (code: string) =>
  /module\.exports|export default|^\}\)/.test(code) ? code : `module.exports = async (req) => { ${code} }`;
