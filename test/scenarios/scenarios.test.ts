import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXECUTABLE, ProcessGroups, type RunOptions, runProgram, scratchDir } from '../support/executable.js';
import { useSharedEmulator } from '../support/shared-emulator.js';
import { openTerminal } from '../support/terminal.js';
import { width } from '../support/width.js';
import { matchLines } from './match.js';
import { parseScenario, type Scenario, type Step } from './parse.js';

const folder = dirname(fileURLToPath(import.meta.url));
const files = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort();

const emulator = useSharedEmulator();
const bin = scratchDir();
beforeAll(() => symlink(EXECUTABLE, join(bin, 'tokenctl')));

const lines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Formats the output of a command as a scenario does. */
function transcript(stdout: readonly string[], stderr: readonly string[], code: number | null): string {
  return [...stdout, ...stderr.map((line) => `! ${line}`), `? ${code}`].join('\n');
}

async function playInTerminal(step: Step, { cwd, env }: RunOptions): Promise<void> {
  const terminal = openTerminal(step.command, cwd, env);
  try {
    for (const { wait, type } of step.dialog) {
      if (wait !== undefined) await terminal.waitFor(wait);
      if (type !== undefined) terminal.type(type);
    }
  } catch (error) {
    terminal.kill();
    throw error;
  }
  const code = await terminal.ended();
  for (const text of step.stdout) expect(terminal.screen()).toContain(text);
  expect({ line: step.line, code }, terminal.screen()).toEqual({ line: step.line, code: step.exitCode });
}

/** Omits the lines that name the service written to, unless the scenario has such a line. */
function comparable(stderr: readonly string[], expected: readonly string[]): string[] {
  const isNotice = (line: string) => line.startsWith('→ ');
  return stderr.filter((line) => !isNotice(line) || expected.some(isNotice));
}

async function play(step: Step, options: RunOptions): Promise<Record<string, string>> {
  if (step.terminal) {
    await playInTerminal(step, options);
    return {};
  }
  const ran = await runProgram('bash', ['-c', step.command], options);
  const [stdout, stderr] = [lines(ran.stdout), comparable(lines(ran.stderr), step.stderr)];
  const kept = [matchLines(stdout, step.stdout), matchLines(stderr, step.stderr)];
  if (ran.code !== step.exitCode || kept.includes(undefined))
    expect(transcript(stdout, stderr, ran.code), `line ${step.line}: ${step.command}`).toBe(
      transcript(step.stdout, step.stderr, step.exitCode),
    );
  return { ...kept[0], ...kept[1] };
}

async function playScenario(
  { own, files, steps }: Scenario,
  variables: Record<string, string> = {},
): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), 'tokenctl-scenario-'));
  const groups = new ProcessGroups();
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    const target = own ? {} : (await emulator.tenant()).env;
    let env: Record<string, string> = { ...target, ...variables, PATH: `${bin}:${process.env.PATH}` };
    for (const step of steps) env = { ...env, ...(await play(step, { cwd, env, groups })) };
  } finally {
    groups.end();
    await rm(cwd, { recursive: true, force: true });
  }
}

describe.concurrent('scenarios', async () => {
  for (const file of files) {
    const scenario = parseScenario(await readFile(join(folder, file), 'utf8'));
    const name = file.replace(/\.txt$/, '');
    const { again, full } = scenario;
    const whenFull = test.runIf(width(false, true));
    const playing = full ? whenFull : test;
    playing(name, () => playScenario(scenario));
    if (again)
      whenFull(`${name}, ${again.name}=${again.value}`, () =>
        playScenario(scenario, { [again.name]: again.value }),
      );
  }
});
