import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { FAULTS, runWithFaults } from './boundaries.js';
import type { Message } from './crash-worker.js';
import { Model } from './workload.js';

/** Every so many rounds the victim is left alone until it must have forgotten what was deleted. */
const FORGET_EVERY = 20;
const FORGET_MS = 250;
/** Promised is a second; a busy machine may take longer. */
const PATIENCE_MS = 15_000;
/** The values of a workload. */
const SECRETS = /(?<=")secret-[^"]*(?=")/g;

async function buildVictim(directory: string): Promise<string> {
  const outfile = join(directory, 'victim.mjs');
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

/** Starts the victim, compares what it finds with the model, lets it work, and kills it. */
async function round(victim: string, dataDir: string, number: number, model: Model): Promise<string[]> {
  const dieAt = number % 2 === 0 ? 1 + Math.floor(Math.random() * 60) : 0;
  const child = spawn(process.execPath, [victim, dataDir, String(number), String(dieAt)], {
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
      wrong.push(...settle(model, new Map(message.state)));
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
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
  clearTimeout(timer);
  if (signal !== 'SIGKILL' || (!isStarted && dieAt === 0)) {
    wrong.push(`the victim ended by itself: ${Buffer.concat(errors).toString('utf8').slice(0, 2000)}`);
  }
  return wrong;
}

/** What is found is what was left; from here on nothing else is possible. */
function settle(model: Model, found: Map<string, string>): string[] {
  const wrong: string[] = [];
  for (const key of new Set([...model.keys(), ...found.keys()])) {
    const value = found.get(key);
    if (!model.possible(key).has(value)) {
      wrong.push(`${key} is ${value ?? 'gone'}, which it cannot be`);
    }
  }
  model.acknowledge(new Map(model.keys().map((key) => [key, found.get(key)] as const)));
  model.dropGone();
  return wrong;
}

/** What the files hold. One that was renamed meanwhile may be none of those that were listed: all are read again. */
async function textsIn(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
  try {
    return await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return textsIn(dataDir);
  }
}

async function stillThere(dataDir: string, model: Model): Promise<string[]> {
  const texts = await textsIn(dataDir);
  // Read once: thousands of values are looked for in megabytes.
  const there = new Set(texts.flatMap((text) => text.match(SECRETS) ?? []));
  return [...model.forgotten].filter((value) => there.has(value)).map((value) => `still there: ${value}`);
}

/** Opens the store, waits, and looks for what must have been forgotten. */
async function forget(victim: string, dataDir: string, model: Model): Promise<string[]> {
  const child = spawn(process.execPath, [victim, dataDir, 'idle'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  let wrong = await stillThere(dataDir, model);
  for (let waited = 0; waited < PATIENCE_MS && wrong.length > 0; waited += FORGET_MS) {
    await sleep(FORGET_MS);
    wrong = await stillThere(dataDir, model);
  }
  child.kill('SIGKILL');
  await closed;
  model.forgotten.clear();
  return wrong;
}

export async function killAgainAndAgain(rounds: number, report: (line: string) => void): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-crash-'));
  const wrong: string[] = [];
  try {
    const victim = await buildVictim(directory);
    const dataDir = join(directory, 'data');
    const model = new Model();
    for (let number = 1; number <= rounds && wrong.length === 0; number += 1) {
      wrong.push(...(await round(victim, dataDir, number, model)).map((what) => `round ${number}: ${what}`));
      if (number % FORGET_EVERY === 0) {
        wrong.push(...(await forget(victim, dataDir, model)));
        report(`${number} kills, ${model.keys().length} records, ${wrong.length} wrong`);
      }
    }
  } finally {
    if (wrong.length === 0) await rm(directory, { recursive: true, force: true });
    else report(`kept: ${directory}`);
  }
  return wrong;
}

/** Every fault at every operation of the disk that a run makes. */
export async function failEverywhere(seed: number, report: (line: string) => void): Promise<string[]> {
  const { operations } = await runWithFaults(seed, {});
  const wrong: string[] = [];
  for (const fault of FAULTS) {
    const points = Array.from({ length: operations }, (_, i) => i + 1);
    const results = await Promise.all(points.map((at) => runWithFaults(seed, { [at]: fault })));
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
    wrong.push(...(await failEverywhere(seed, report)));
  wrong.push(...(await killAgainAndAgain(Number(values.rounds), report)));
  report(wrong.length === 0 ? 'Nothing lost, nothing brought back.' : wrong.slice(0, 50).join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
