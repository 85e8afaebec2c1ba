import { createHash } from 'node:crypto';
import { afterAll, onTestFinished } from 'vitest';
import type { Invocation } from '../../emulator/sandbox/invocation.js';
import type { InvocationOutcome } from '../../emulator/sandbox/outcome.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../emulator/sandbox/sandbox.js';

const DEFAULTS: SandboxOptions = { runtime: 'quickjs', network: { mode: 'loopback' } };

/** A sandbox for the tests of a file or block, closed after them. */
export function testSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandbox({ ...DEFAULTS, ...options });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** A sandbox for the test that runs: what is given to `afterAll` in the middle of a test is never called. */
export function ownSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandbox({ ...DEFAULTS, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Runs code as a reactor of its own (the same code is the same reactor). */
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
    timeoutMs: 20_000,
    ...extra,
  });
}

/** The value that the code returned. @throws when it did anything else. */
export async function returned(
  sandbox: Sandbox,
  code: string,
  extra: Partial<Invocation> = {},
): Promise<unknown> {
  const outcome = await run(sandbox, code, extra);
  if (outcome.kind !== 'returned') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

/** A body as the function of a reactor; a whole reactor as it is. */
export const asReactor = (code: string) =>
  /module\.exports|export default|^\}\)/.test(code) ? code : `module.exports = async (req) => { ${code} }`;
