import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { PATIENCE_MS } from '../../support/patience.js';
import { FAULTS, faultsFrom, runWithFaults } from './boundaries.js';
import type { Message } from './crash-worker.js';
import { Model } from './workload.js';

/** The number of rounds between two checks that deleted data is erased. */
const ERASURE_CHECK_EVERY = 20;
const POLL_MS = 250;
/** Matches the values of a workload. */
const SECRETS = /(?<=")secret-[^"]*(?=")/g;

async function buildWorker(directory: string): Promise<string> {
  const outfile = join(directory, 'worker.mjs');
  const entry = fileURLToPath(new URL('crash-worker.ts', import.meta.url));
  const banner = {
    js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);",
  };
  await esbuild.build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner,
  });
  return outfile;
}

/** Starts a worker, compares the state that it reports with the model, lets it work, and kills it. */
async function runRound(worker: string, dataDir: string, number: number, model: Model): Promise<string[]> {
  const dieAt = number % 2 === 0 ? 1 + Math.floor(Math.random() * 60) : 0;
  const child = spawn(process.execPath, [worker, dataDir, String(number), String(dieAt)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const wrong: string[] = [];
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const effects = new Map<number, Map<string, string | undefined>>();
  let isStarted = false;
  const take = (message: Message) => {
    if ('state' in message) {
      isStarted = true;
      wrong.push(...compareState(model, new Map(message.state)));
      setTimeout(() => child.kill('SIGKILL'), 5 + Math.random() * 120);
    } else if ('begin' in message) {
      const begun = new Map(message.effects.map(([key, value]) => [key, value ?? undefined]));
      effects.set(message.begin, begun);
      model.begin(begun);
    } else if (message.acknowledged) model.acknowledge(effects.get(message.end) ?? new Map());
  };
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line.endsWith('}')) take(JSON.parse(line) as Message);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
  clearTimeout(timer);
  if (signal !== 'SIGKILL' || (!isStarted && dieAt === 0)) {
    wrong.push(`the worker ended by itself: ${Buffer.concat(errors).toString('utf8').slice(0, 2000)}`);
  }
  return wrong;
}

/** Reports records that the model does not allow, and makes the found state the only possible one. */
function compareState(model: Model, found: Map<string, string>): string[] {
  const wrong: string[] = [];
  for (const key of new Set([...model.keys(), ...found.keys()])) {
    const value = found.get(key);
    if (!model.possible(key).has(value)) {
      wrong.push(`${key} is ${value ?? 'gone'}, which it cannot be`);
    }
  }
  model.acknowledge(new Map(model.keys().map((key) => [key, found.get(key)] as const)));
  model.dropDeleted();
  return wrong;
}

/** Reads all files, by path. If one was renamed since they were listed, they are all read again. */
async function textsIn(dataDir: string): Promise<[path: string, text: string][]> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
  try {
    return await Promise.all(
      paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'utf8')]),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return textsIn(dataDir);
  }
}

/** Describes deleted values that a file still holds. An unfinished tail may hold what was never stored, and nothing else. */
async function remainingValues(dataDir: string, model: Model): Promise<string[]> {
  const texts = await textsIn(dataDir);
  // One pass over megabytes of text instead of one for each of thousands of values.
  const secretsIn = (inTail: boolean) =>
    new Set(
      texts
        .filter(([path]) => path.includes('.tail-') === inTail)
        .flatMap(([, text]) => text.match(SECRETS) ?? []),
    );
  const [there, inTails] = [secretsIn(false), secretsIn(true)];
  return [...model.deleted]
    .filter((value) => there.has(value) || (inTails.has(value) && model.stored.has(value)))
    .map((value) => `still there: ${value}`);
}

/** Opens the store, waits, and reports deleted values that are still in a file. */
async function checkErasure(worker: string, dataDir: string, model: Model): Promise<string[]> {
  // Every start after a kill warns of a torn line.
  const child = spawn(process.execPath, [worker, dataDir, 'idle'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = new Promise((resolve) => child.on('close', resolve));
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), closed]);
  if (child.exitCode !== null) return [`the idle worker ended by itself with ${child.exitCode}`];
  let wrong = await remainingValues(dataDir, model);
  for (let waited = 0; waited < PATIENCE_MS && wrong.length > 0; waited += POLL_MS) {
    await sleep(POLL_MS);
    wrong = await remainingValues(dataDir, model);
  }
  child.kill('SIGKILL');
  await closed;
  model.deleted.clear();
  return wrong;
}

export async function killRepeatedly(rounds: number, report: (line: string) => void): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-crash-'));
  const wrong: string[] = [];
  try {
    const worker = await buildWorker(directory);
    const dataDir = join(directory, 'data');
    const model = new Model();
    for (let number = 1; number <= rounds && wrong.length === 0; number += 1) {
      wrong.push(
        ...(await runRound(worker, dataDir, number, model)).map((what) => `round ${number}: ${what}`),
      );
      if (number % ERASURE_CHECK_EVERY === 0) {
        wrong.push(...(await checkErasure(worker, dataDir, model)));
        report(`${number} kills, ${model.keys().length} records, ${wrong.length} wrong`);
      }
    }
  } finally {
    if (wrong.length === 0) await rm(directory, { recursive: true, force: true });
    else report(`kept: ${directory}`);
  }
  return wrong;
}

/** Runs the workload once for every fault at every operation of the disk. */
async function failAtEveryOperation(seed: number, report: (line: string) => void): Promise<string[]> {
  const { operations } = await runWithFaults(seed, {});
  const wrong: string[] = [];
  for (const fault of FAULTS) {
    const points = Array.from({ length: operations }, (_, i) => i + 1);
    const results = await Promise.all(points.map((at) => runWithFaults(seed, faultsFrom(at, fault))));
    wrong.push(
      ...results.flatMap((result, i) =>
        result.wrong.map((what) => `${JSON.stringify(fault)} at ${i + 1}: ${what}`),
      ),
    );
    report(
      `seed ${seed}, ${JSON.stringify(fault)} at each of ${operations} operations: ${wrong.length} wrong`,
    );
  }
  return wrong;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '100' }, seeds: { type: 'string', default: '3' } },
  });
  const report = (line: string) => process.stdout.write(`${line}\n`);
  const wrong: string[] = [];
  for (let seed = 1; seed <= Number(values.seeds); seed += 1)
    wrong.push(...(await failAtEveryOperation(seed, report)));
  wrong.push(...(await killRepeatedly(Number(values.rounds), report)));
  report(wrong.length === 0 ? 'Nothing lost, nothing brought back.' : wrong.slice(0, 50).join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
