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

type Opened = Awaited<ReturnType<typeof openSandbox>>;
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

/** Returns a reactor that loads several. It throws if one of them may not load. */
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
  /** Loads reactors in one engine: to make one takes ten times as long as to load a small reactor. Halves find those that fail. */
  const loadAll = async (opened: Opened, batch: readonly Waiting[]): Promise<void> => {
    const { sandbox, limit } = opened;
    const [first, second] = batch;
    if (!second) {
      const outcome = first && limit(load, sandbox, first.code, first.file);
      first?.resolve(outcome);
      await Promise.allSettled([outcome]);
      return;
    }
    const codes = batch.map(({ code }) => code);
    // A failure of the sandbox itself is that of each reactor too.
    const hasFailed = await limit(load, sandbox, joined(codes), 'reactors').catch(() => true);
    const middle = Math.ceil(batch.length / 2);
    const halves = [batch.slice(0, middle), batch.slice(middle)];
    if (hasFailed) await Promise.all(halves.map((half) => loadAll(opened, half)));
    else for (const { resolve } of batch) resolve(undefined);
  };
  return {
    async load(code: string, file: string): Promise<LoadProblem | undefined> {
      opening ??= openSandbox(moduleAliases);
      const opened = await opening;
      return new Promise((resolve) => {
        waiting.push({ code, file, resolve });
        void opened.batches(() => loadAll(opened, waiting.splice(0)));
      });
    },
    close: async () => (await opening)?.sandbox.close(),
  };
}
