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
  // Nothing is made ahead: most projects need one thread and one engine.
  const options = { names: { modules }, limits: { standbys: 0 } };
  const sandbox = createSandbox({ ...options, runtime: 'quickjs', network: { mode: 'none' } });
  // Further threads would end after each reactor; to start one takes ten times as long.
  return { sandbox, batches: pLimit(1), limit: pLimit(MAX_SPARES) };
}

type Opened = Awaited<ReturnType<typeof openSandbox>>;
type LoadFailure = NonNullable<Awaited<ReturnType<Sandbox['load']>>>;

function toProblem(failure: LoadFailure): LoadProblem {
  const thrown = failure.kind === 'threw';
  const position = thrown ? failure.error.position : 'position' in failure ? failure.position : undefined;
  const message = thrown ? `throws when it is loaded: ${failure.error.message}` : failure.message;
  return { line: position?.line, column: position?.column, message, isThrown: thrown };
}

/** A reactor that loads others. It throws if one of them may not load. */
const LOADER = `module.exports = ({ args }) => {
  for (const code of args) {
    const module = { exports: {} };
    const load = new Function('exports', 'require', 'module', '__filename', '__dirname', code);
    load.call(module.exports, module.exports, require, module, __filename, __dirname);
    if (![module.exports, module.exports.default].some((exported) => typeof exported === 'function')) throw new Error();
  }
  return {};
}`;

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
  /** Loads reactors in an engine that the next ones get too: to make one takes 8 MB, and ten times as long as to load a small reactor. */
  const canLoad = async (sandbox: Sandbox, args: string[]): Promise<boolean> => {
    const call = { version: '1', code: LOADER, configuration: {}, svc: null, timeoutMs: LOAD_TIMEOUT_MS };
    const { kind } = await sandbox.invoke({ ...call, args, reactorId: 'loader', traceId: 'loader' });
    // What code that fails has left behind could fail the next.
    if (kind !== 'returned') sandbox.retire('loader');
    return kind === 'returned';
  };
  /** Halves find those that fail. */
  const loadAll = async (opened: Opened, batch: readonly Waiting[]): Promise<void> => {
    const { sandbox, limit } = opened;
    const codes = batch.map(({ code }) => code);
    const [only] = batch;
    // A failure of the sandbox itself is that of each reactor too.
    if (codes.length === 0 || (await limit(canLoad, sandbox, codes).catch(() => false))) {
      for (const { resolve } of batch) resolve(undefined);
    } else if (codes.length > 1) {
      const middle = Math.ceil(codes.length / 2);
      const halves = [batch.slice(0, middle), batch.slice(middle)];
      await Promise.all(halves.map((half) => loadAll(opened, half)));
    } else only?.resolve(limit(load, sandbox, only.code, only.file));
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
