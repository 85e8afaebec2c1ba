import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleReactor } from '../../src/cli/reactors/build/bundle.js';
import { type ReactorTestFile, readTestFile } from '../../src/cli/reactors/test/test-file.js';

const SAMPLES = new URL('../../fixtures/reactors/', import.meta.url);
const PLAIN_NODE = new URL('./plain-node/run.cjs', import.meta.url);

/** Reads the test cases of a sample reactor, which `tokenctl reactor test` runs as well. */
export function readSample(name: string): Promise<ReactorTestFile> {
  return readTestFile(samplePath(`${name}.test.json`));
}

function samplePath(file: string): string {
  return fileURLToPath(new URL(file, SAMPLES));
}

/** Returns the code that is deployed: TypeScript bundled with its packages, JavaScript unchanged. */
export async function deployedCode(file: string): Promise<string> {
  if (!file.endsWith('.ts')) return readFile(samplePath(file), 'utf8');
  const { code } = await bundleReactor({ file: samplePath(file), cwd: fileURLToPath(SAMPLES), external: [] });
  return code;
}

/** The outcome of a reactor's function in plain Node.js. */
export interface PlainOutcome {
  returned?: { raw?: unknown; tokenize?: unknown };
  threw?: {
    name: string;
    message: string;
    status?: number;
    errors?: unknown;
    body?: unknown;
    headers?: Record<string, string>;
    line?: number;
  };
}

interface PlainRun {
  args: unknown;
  configuration: Record<string, string>;
  /** The service that `svc` calls; null if the reactor has no application. */
  service: { baseUrl: string; key: string } | null;
}

/** Runs a sample in a separate Node.js process without a sandbox. TypeScript is bundled first. */
export async function runInNode(file: string, run: PlainRun): Promise<PlainOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-node-'));
  try {
    const runnable = file.endsWith('.ts') ? join(folder, 'bundled.cjs') : samplePath(file);
    if (file.endsWith('.ts')) await writeFile(runnable, await deployedCode(file));
    const child = fork(PLAIN_NODE, [], { env: { TZ: 'UTC' }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.send({ file: runnable, ...run });
    return await answerOf(child);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function answerOf(child: ChildProcess): Promise<PlainOutcome> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Plain Node.js ended with ${code} before it answered.`);
  });
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return answer as PlainOutcome;
}
