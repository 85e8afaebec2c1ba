import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Result {
  value?: unknown;
  error?: string;
}

/** Runs reactors in one process of plain Node.js, in the time zone of the service. */
export async function runInPlainNode(reactors: { code: string; args: unknown }[]): Promise<Result[]> {
  const script = fileURLToPath(new URL('plain-node.mjs', import.meta.url));
  const env = { ...process.env, TZ: 'UTC', LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' };
  const child = spawn(process.execPath, ['--no-deprecation', script], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(reactors));
  return JSON.parse(await text(child.stdout)) as Result[];
}
