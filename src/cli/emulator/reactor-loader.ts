import pLimit from 'p-limit';
import type { Sandbox } from '../../../emulator/sandbox/index.js';
import type { ModuleAliases } from '../../contract/reactor-runtime.js';
import { endDespiteStuckWorkers } from './launch.js';

/** Running the top level of a reactor takes milliseconds; this allows for slow build machines. */
const LOAD_TIMEOUT_MS = 20_000;

export interface LoadProblem {
  line: number | undefined;
  column: number | undefined;
  message: string;
  /** The code threw it while it was loaded; otherwise it does not parse, exports no function or ran out of a limit. */
  isThrown: boolean;
}

/** Loads reactor code in the emulator's sandbox, which starts with the first call. */
export type ReactorLoader = ReturnType<typeof createReactorLoader>;

async function openSandbox(modules: ModuleAliases) {
  const { createSandbox, hasStuckWorkers, MAX_SPARES } = await import('../../../emulator/sandbox/index.js');
  endDespiteStuckWorkers(hasStuckWorkers);
  const options = { names: { modules }, limits: { spareDelayMs: NEVER_MS } };
  const sandbox = createSandbox({ ...options, runtime: 'quickjs', network: { mode: 'none' } });
  // Further threads would end after each reactor; to start one takes ten times as long.
  return { sandbox, batches: pLimit(1), limit: pLimit(MAX_SPARES) };
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

/** Returns a reactor that loads several. It throws if one of them may not load; by itself, that one says why. */
const joined = (codes: readonly string[]): string => `
for (const code of ${JSON.stringify(codes)}) {
  const module = { exports: {} };
  const load = new Function('exports', 'require', 'module', '__filename', '__dirname', code);
  load.call(module.exports, module.exports, require, module, __filename, __dirname);
  if (![module.exports, module.exports.default].some((exported) => typeof exported === 'function')) throw new Error();
}
module.exports = () => {};
`;

/** No thread is started ahead: most projects need one. */
const NEVER_MS = 86_400_000;
/** Reactors that are loaded one by one if one of them fails. */
const MAX_BATCH = 64;

interface Waiting {
  code: string;
  file: string;
  resolve(outcome: undefined | Promise<LoadProblem | undefined>): void;
}

export function createReactorLoader(moduleAliases: ModuleAliases = {}) {
  let opening: ReturnType<typeof openSandbox> | undefined;
  let loaded = 0;
  const waiting: Waiting[] = [];
  const load = async (sandbox: Sandbox, code: string, file: string): Promise<LoadProblem | undefined> => {
    const reactorId = `check-${++loaded}`;
    const request = { reactorId, version: '1', code, fileName: file, timeoutMs: LOAD_TIMEOUT_MS };
    const failure = await sandbox.load({ ...request, traceId: reactorId });
    sandbox.retire(reactorId);
    return failure && toProblem(failure);
  };
  /** Loads what has come in meanwhile in one engine: to make one takes ten times as long as to load a small reactor. */
  const loadWaiting = async ({ sandbox, limit }: Awaited<ReturnType<typeof openSandbox>>) => {
    const batch = waiting.splice(0, MAX_BATCH);
    const codes = batch.map(({ code }) => code);
    // A failure of the sandbox itself is that of each reactor too, which is loaded by itself then.
    const areFine = batch.length > 1 && !(await load(sandbox, joined(codes), 'reactors').catch(() => true));
    const outcomes = batch.map(({ code, file, resolve }) => {
      const outcome = areFine ? undefined : limit(load, sandbox, code, file);
      resolve(outcome);
      return outcome;
    });
    // Meanwhile the next batch comes in.
    await Promise.allSettled(outcomes);
  };
  return {
    async load(code: string, file: string): Promise<LoadProblem | undefined> {
      opening ??= openSandbox(moduleAliases);
      const opened = await opening;
      return new Promise((resolve) => {
        waiting.push({ code, file, resolve });
        void opened.batches(loadWaiting, opened);
      });
    },
    close: async () => (await opening)?.sandbox.close(),
  };
}
