import pLimit from 'p-limit';
import type { Sandbox } from '../../../emulator/sandbox/index.js';
import type { ModuleAliases } from '../../contract/reactor-runtime.js';
import { endDespiteStuckWorkers } from './launch.js';

/** Running the top level of a reactor takes milliseconds; this allows for slow build machines. */
const LOAD_TIMEOUT_MS = 20_000;
/** Threads that the sandbox keeps between two reactors. */
const SPARE_THREADS = 2;

export interface LoadProblem {
  line: number | undefined;
  column: number | undefined;
  message: string;
  /** The code threw it while it was loaded; otherwise it does not parse, exports no function or ran out of a limit. */
  isThrown: boolean;
}

/** Loads reactor code in the emulator's sandbox, which starts with the first call. */
export type ReactorLoader = ReturnType<typeof createReactorLoader>;

async function openSandbox(modules: ModuleAliases): Promise<Sandbox> {
  const { createSandbox, hasStuckWorkers } = await import('../../../emulator/sandbox/index.js');
  endDespiteStuckWorkers(hasStuckWorkers);
  return createSandbox({ runtime: 'quickjs', network: { mode: 'none' }, names: { modules } });
}

type LoadFailure = NonNullable<Awaited<ReturnType<Sandbox['load']>>>;

function toProblem(failure: LoadFailure): LoadProblem {
  const thrown = failure.kind === 'threw';
  const position = thrown
    ? failure.error.position
    : failure.kind === 'load-error'
      ? failure.position
      : undefined;
  const message = thrown ? `throws when it is loaded: ${failure.error.message}` : failure.message;
  return { line: position?.line, column: position?.column, message, isThrown: thrown };
}

/** @param moduleAliases names by which the code requires provided modules */
export function createReactorLoader(moduleAliases: ModuleAliases = {}) {
  let opening: Promise<Sandbox> | undefined;
  let loaded = 0;
  // Further threads would end after each reactor; to start one takes ten times as long.
  const limit = pLimit(SPARE_THREADS);
  const load = async (code: string, file: string): Promise<LoadProblem | undefined> => {
    opening ??= openSandbox(moduleAliases);
    const sandbox = await opening;
    const reactorId = `check-${++loaded}`;
    const request = { reactorId, version: '1', code, fileName: file, timeoutMs: LOAD_TIMEOUT_MS };
    const failure = await sandbox.load({ ...request, traceId: reactorId });
    sandbox.retire(reactorId);
    return failure && toProblem(failure);
  };
  return {
    /** Runs the top level of the code without calling its export; resolves to undefined if that works. */
    load: (code: string, file: string) => limit(load, code, file),
    close: async () => (await opening)?.close(),
  };
}
