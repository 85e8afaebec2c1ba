import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished, TestRunner } from 'vitest';
import { jsonOf } from '../../src/contract/json.js';
import { PATIENCE_MS } from './patience.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where `.ci/run` has what `npm pack` makes of this repository: the tarball, and node_modules/ with it unpacked. */
export const PACKED = process.env.TOKENCTL_PACKAGE;

/** The package that users install: the packed one, or this repository with its build. */
export const PACKAGE = PACKED ? join(PACKED, 'node_modules/tokenctl') : ROOT;

/** Loads a module of the package: `tokenctl/emulator`, or `./dist/emulator.cjs`. */
export const requireOfPackage = createRequire(join(PACKAGE, 'package.json'));

/** The path of the executable, which users start. */
export const EXECUTABLE = join(PACKAGE, 'bin/tokenctl.js');

const CACHE_DIR = join(ROOT, 'node_modules/.cache');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  /** `stdout` as JSON; undefined if it is not JSON. Not enumerable: equality does not look at it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  readonly json: any;
  /** The error object that is the last line of `stderr`; undefined without one. Not enumerable. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  readonly error: any;
}

export interface RunOptions {
  cwd: string;
  /** The whole environment except PATH, HOME and TMPDIR. */
  env?: Record<string, string>;
  stdin?: string;
  /** Takes what the program leaves running; without it, that ends with the program. */
  groups?: ProcessGroups;
}

/** Splits a command line at its blanks, as a shell does; quotes keep those of a word. */
export function words(line: string): string[] {
  if (!/^(?:[^'"]|'[^']*'|"[^"]*")*$/.test(line)) throw new Error(`A quote is not closed: ${line}`);
  return (line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single = '', double = '') => single + double),
  );
}

/** Returns an environment without any configuration of the user who runs the tests. */
export function cleanEnvironment(cwd: string, env: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    TMPDIR: tmpdir(),
    TOKENCTL_CONFIG_DIR: `${cwd}/config`,
    // Compiled code of commands: shared, and out of the directories that tests look into.
    XDG_CACHE_HOME: CACHE_DIR,
    ...env,
  };
}

/** Runs a program without a terminal and waits for its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<Ran> {
  const { cwd, groups } = options;
  const env = cleanEnvironment(cwd, options.env);
  const child = spawn(program, args, { cwd, env, stdio: 'pipe', detached: true });
  const end = () => child.pid !== undefined && endProcessGroup(child.pid);
  const timer = setTimeout(end, PATIENCE_MS);
  const ran = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  if (child.pid !== undefined) groups?.add(child.pid);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return withJson({ code, ...ran });
  } finally {
    clearTimeout(timer);
    if (!groups) end();
  }
}

function withJson(ran: Pick<Ran, 'code' | 'stdout' | 'stderr'>): Ran {
  return Object.defineProperties(ran, {
    json: { get: () => jsonOf(ran.stdout) },
    error: { get: () => (jsonOf(ran.stderr.trim().split('\n').at(-1) ?? '') as Partial<Ran>)?.error },
  }) as Ran;
}

/** A command as a line, or as words if some hold blanks and quotes of their own. */
export type CommandLine = string | readonly string[];

const toWords = (command: CommandLine): readonly string[] =>
  typeof command === 'string' ? words(command) : command;

/** Runs `tokenctl` without a terminal and waits for its end. */
export function tokenctl(command: CommandLine, options: RunOptions): Promise<Ran> {
  return runProgram(process.execPath, [EXECUTABLE, ...toWords(command)], options);
}

/** A `tokenctl` that goes on until something ends it. */
interface RunningCommand {
  child: ChildProcess;
  /** What it has printed so far, on both streams. */
  printed(): string;
  /** Waits until it has printed something that matches. @throws {Error} if it ends without */
  waitFor(pattern: RegExp): Promise<void>;
  /** Sends a signal, default SIGINT, and waits for the end. @returns the exit code */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves with exit code and signal when it has ended. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
}

/** Starts `tokenctl`, which ends with the test that runs, or with this process at the latest. */
export function startTokenctl(command: CommandLine, { cwd, env }: RunOptions): RunningCommand {
  const child = spawn(process.execPath, [EXECUTABLE, ...toWords(command)], {
    cwd,
    env: cleanEnvironment(cwd, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  if (TestRunner.getCurrentTest()) onTestFinished(kill);
  const ended = once(child, 'close') as RunningCommand['ended'];
  void ended.finally(() => process.off('exit', kill));
  let printed = '';
  const output = new EventEmitter();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      output.emit('printed');
    });
  return {
    child,
    printed: () => printed,
    async waitFor(pattern) {
      while (!pattern.test(printed)) {
        const isOver = await Promise.race([
          once(output, 'printed').then(() => false),
          ended.then(() => true),
        ]);
        if (isOver && !pattern.test(printed)) throw new Error(`${pattern} was not printed:\n${printed}`);
      }
    },
    async end(signal = 'SIGINT') {
      child.kill(signal);
      return (await ended)[0];
    },
    ended,
  };
}

/** What `emulator start --json` prints when it is ready. */
export interface ReadyProcess extends RunningCommand {
  base_url: string;
  /** Where it listens, if that differs from its base URL. */
  local_url?: string;
  keys: Record<'management' | 'private' | 'public', string>;
  pid: number;
}

/** Starts an emulator in a process of its own, on a free port, and waits until it is ready. */
export async function startEmulatorProcess(flags: CommandLine, options: RunOptions): Promise<ReadyProcess> {
  const command = ['emulator', 'start', '--port', '0', '--json', ...toWords(flags)];
  const running = startTokenctl(command, options);
  await running.waitFor(/^\{.*\}$/m);
  return { ...running, ...JSON.parse(/^\{.*\}$/m.exec(running.printed())?.[0] ?? '') };
}

/** Creates a temporary directory with these files. It is removed after the test. */
export async function projectDir(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-project-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return directory;
}

/** Returns a directory with these files, which is there while the tests of the file or block that calls it run. */
export function scratchDir(files: Readonly<Record<string, string>> = {}): string {
  const directory = join(tmpdir(), `tokenctl-test-${randomUUID()}`);
  beforeAll(() => {
    mkdirSync(directory, { mode: 0o700 });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return directory;
}

/** Ends a program and what it started. It must have been started as `detached`, which makes it the leader of a group. */
export function endProcessGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
}

/** Programs that may leave processes running, such as an emulator in the background, until `end`. */
export class ProcessGroups {
  readonly #leaders = new Set<number>();
  readonly #end = () => this.end();

  constructor() {
    process.once('exit', this.#end);
  }

  add(leader: number): void {
    this.#leaders.add(leader);
  }

  /** Ends whatever still runs. */
  end(): void {
    for (const leader of this.#leaders) endProcessGroup(leader);
    this.#leaders.clear();
    process.off('exit', this.#end);
  }
}
