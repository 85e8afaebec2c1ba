// The steps of the demo, without the command lines, against the emulator of the environment: for tests of what the CLI prints.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jsonOf } from '../../src/contract/json.js';
import { STORY } from '../demo/story.js';
import { EXECUTABLE } from './executable.js';

for (const step of STORY) {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const args = step.command();
  const reveals = args.includes('--reveal');
  const child = spawn(process.execPath, [EXECUTABLE, ...args], { cwd });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      printed[name] += chunk;
      // Data that is shown on purpose is a leak as soon as it is printed.
      if (!reveals) process[name].write(chunk);
    });
  const [code] = await once(child, 'close');
  if (code !== (step.exitCode ?? 0)) throw new Error(`${step.title}: exit code ${code}`);
  step.check({ ...printed, json: jsonOf(printed.stdout) });
}
