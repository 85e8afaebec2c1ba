import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { TestServer } from '../../../support/test-server.js';

/** decisions.md, "Safety of people": nobody is told to use a key that does not work. */

const ADVICE = 'tokenctl emulator stop, then: tokenctl emulator start';

test('after the management key was deleted, every command says how to get one, and that works', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'ended-key-'));
  const run = (...args: string[]) => tokenctl([...args, '-o', 'yaml'], { cwd });
  const dataDir = join(cwd, '.tokenctl');
  const start = async () => {
    const server = new TestServer({ dataDir });
    await server.start();
    return server;
  };
  let server = await start();
  try {
    expect((await run('application', 'delete', 'management', '--confirm=management')).code).toBe(0);
    const keys = await run('emulator', 'keys');
    expect(keys.stdout).not.toContain(server.emulator.keys.management);
    expect(keys.stdout).toContain(server.emulator.keys.private);
    expect(keys.stderr).toContain('The management key was deleted or has expired.');
    const doctor = await run('doctor');
    expect([doctor.code, doctor.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      4,
      expect.stringContaining(ADVICE),
    ]);
    const list = await run('application', 'list');
    expect([list.code, list.stderr]).toEqual([4, expect.stringContaining(ADVICE)]);
    await server.close();
    server = await start();
    expect((await run('application', 'list')).code).toBe(0);
    expect((await run('doctor')).code).toBe(0);
    expect((await run('emulator', 'keys')).stderr).toBe('');
  } finally {
    await server.close();
    await rm(cwd, { recursive: true, force: true });
  }
});
