import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXECUTABLE, projectDir, runProgram, startTokenctl, tokenctl } from '../../support/executable.js';
import { width } from '../../support/width.js';
import { HAS_STRACE } from './real-disk.js';

const COMMANDS = {
  export: 'token export --reveal --out file.ndjson',
  backup: 'emulator tenant export file.json',
  pull: 'pull',
};

/** Calls at which the process ends, and a limit for the size of files. */
const FAULTS = ['size', 'rename', ...width([], ['fsync', 'write'])];

/** What follows the name of a file while it is written. */
const TEMPORARY = /\.[\da-f]{8}-\d+-[\da-f]{16}$/;

async function must(line: string, cwd: string, stdin = ''): Promise<void> {
  const { code, stderr } = await tokenctl(line, { cwd, stdin });
  expect(code, stderr).toBe(0);
}

async function filesIn(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = files.map(async (file) => [file.slice(directory.length), await readFile(file, 'utf8')]);
  return Object.fromEntries(await Promise.all(contents));
}

/** Runs a command whose process ends at the nth call of a name, or which cannot write files of more than n KiB. */
function runWithFault(line: string, directory: string, fault: string, n: number) {
  const command = [process.execPath, EXECUTABLE, ...line.split(' ')];
  const options = { cwd: directory, env: { UV_THREADPOOL_SIZE: '1' } };
  if (fault === 'size')
    return runProgram('bash', ['-c', 'ulimit -f "$0"; exec "$@"', String(n), ...command], options);
  const inject = ['-e', `trace=${fault}`, '-e', `inject=${fault}:signal=KILL:when=${n + 1}`];
  return runProgram('strace', ['-f', '-qq', '-o', '/dev/null', ...inject, ...command], options);
}

// Fault: export, backup, pull | kill at any write, sync, rename; full disk | disk
test.runIf(HAS_STRACE).each(Object.entries(COMMANDS))(
  'an interrupted %s leaves each earlier file as it was, or as it should become (needs strace)',
  async (_, line) => {
    const cwd = await projectDir({ 'before/empty': '', 'one.js': 'module.exports = () => ({ raw: 1 });' });
    // Commands find the emulator of the directory above theirs.
    await startTokenctl('emulator start --port 0', { cwd }).waitFor(/Ctrl-C|"ready"/);
    const [before, after] = [join(cwd, 'before'), join(cwd, 'after')];
    await must(line, before);
    const old = await filesIn(before);
    await cp(before, after, { recursive: true });
    await must('token import -', cwd, `{"type":"token","data":"${'x'.repeat(1_000)}"}\n`.repeat(200));
    await must('reactor create --name one --code @one.js', cwd);
    await must(line, after);
    const next = await filesIn(after);
    expect(next).not.toEqual(old);

    for (const fault of FAULTS)
      for (let n = 0; ; n += fault === 'size' ? n + 1 : 1) {
        const directory = join(cwd, `${fault}-${n}`);
        await cp(before, directory, { recursive: true });
        const { code } = await runWithFault(line, directory, fault, n);
        const found = await filesIn(directory);
        const kept = Object.entries(found).filter(([file]) => !TEMPORARY.test(file));
        for (const [file, content] of kept)
          expect([old[file], next[file]], `${fault} ${n}`).toContain(content);
        expect(Object.keys(found)).toEqual(expect.arrayContaining(Object.keys(old)));
        if (code === 0) break;
        if (fault === 'size') expect(kept.length, `${n} KiB`).toBe(Object.keys(found).length);
      }
  },
);
