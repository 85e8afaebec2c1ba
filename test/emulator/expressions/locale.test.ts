import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../support/executable.js';

const MASK = "{{ data | date: '%A, %B %-d' }}";

test.each(['de_DE.UTF-8', 'C'])('dates are in English where the machine speaks %s', async (LC_ALL) => {
  const given = ['--type', 'token', '--data', '"2026-03-01"', '--mask', MASK];
  const { stdout } = await tokenctl(['--local', 'token', 'create', ...given, '--reveal', '--json', 'data'], {
    cwd: await projectDir({}),
    env: { LC_ALL },
  });
  expect(JSON.parse(stdout)).toEqual({ data: 'Sunday, March 1' });
});
