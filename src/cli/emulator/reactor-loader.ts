import type { Sandbox } from '../../../emulator/sandbox/sandbox.js';
import type { CodeProblem } from '../reactors/build/code-problem.js';
import type { LoadCheck } from '../reactors/build/prepare.js';

/** Running the top level of a reactor takes milliseconds; this is for the slowest of build machines. */
const LOAD_TIMEOUT_MS = 20_000;

/** Loads reactor code in the emulator's sandbox, which is started at the first call. */
export interface ReactorLoader {
  load: LoadCheck;
  close(): Promise<void>;
}

async function openSandbox(): Promise<Sandbox> {
  const { createSandbox } = await import('../../../emulator/sandbox/sandbox.js');
  return createSandbox({ runtime: 'quickjs', network: { mode: 'none' } });
}

type LoadFailure = NonNullable<Awaited<ReturnType<Sandbox['load']>>>;

function toProblem(failure: LoadFailure, file: string): CodeProblem {
  const thrown = failure.kind === 'threw';
  const position = thrown
    ? failure.error.position
    : failure.kind === 'load-error'
      ? failure.position
      : undefined;
  const message = thrown ? `throws when it is loaded: ${failure.error.message}` : failure.message;
  return { file, line: position?.line, column: position?.column, message };
}

export function createReactorLoader(): ReactorLoader {
  let opening: Promise<Sandbox> | undefined;
  let loaded = 0;
  return {
    async load(code, file) {
      opening ??= openSandbox();
      const sandbox = await opening;
      const reactorId = `check-${++loaded}`;
      const failure = await sandbox.load({
        reactorId,
        version: '1',
        code,
        fileName: file,
        timeoutMs: LOAD_TIMEOUT_MS,
        traceId: reactorId,
      });
      sandbox.retire(reactorId);
      return failure && toProblem(failure, file);
    },
    close: async () => (await opening)?.close(),
  };
}
