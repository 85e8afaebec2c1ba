import { createHash } from 'node:crypto';
import { afterAll } from 'vitest';
import type { Invocation } from '../../../emulator/sandbox/invocation.js';
import type { Outcome } from '../../../emulator/sandbox/outcome.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../emulator/sandbox/sandbox.js';

/** A sandbox that ends with the test file. */
export function testSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandbox({ runtime: 'quickjs', network: { mode: 'loopback' }, ...options });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** Runs code as a reactor of its own (the same code is the same reactor). */
export function run(sandbox: Sandbox, code: string, extra: Partial<Invocation> = {}): Promise<Outcome> {
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
