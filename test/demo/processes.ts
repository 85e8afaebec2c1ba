import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { jsonOf } from '../../src/contract/json.js';
import type { Printed } from './step.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const executable = fileURLToPath(new URL('../../bin/tokenctl.js', import.meta.url));

export type Environment = Readonly<Record<string, string | undefined>>;

/** An emulator that accepts requests. */
export interface RunningProcess {
  baseUrl: string;
  /** Where it listens; the base URL may be that of a load balancer. */
  localUrl: string;
  stop(): Promise<void>;
}

function spawnCli(args: string[], env: Environment) {
  return spawn(process.execPath, [executable, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a command to its end. */
export async function runCli(args: string[], env: Environment): Promise<Printed & { code: number }> {
  const child = spawnCli(args, env);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr, json: jsonOf(stdout) };
}

/** Starts an emulator. @throws Error it ended before it was ready */
export async function startEmulator(args: string[], env: Environment): Promise<RunningProcess> {
  const child = spawnCli(['emulator', 'start', '--port', '0', '--json', ...args], env);
  child.stderr.pipe(process.stderr);
  for await (const line of createInterface(child.stdout)) {
    const { base_url: baseUrl, local_url: localUrl = baseUrl } = JSON.parse(line);
    return { baseUrl, localUrl, stop: () => stop(child) };
  }
  throw new Error('the emulator ended before it was ready');
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}
