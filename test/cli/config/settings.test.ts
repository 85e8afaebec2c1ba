import { expect, test } from 'vitest';
import { readSettings } from '../../../src/cli/config/settings.js';

const terminal = { stdin: true, stdout: true, stderr: true, columns: 80 };
const settings = (env: Record<string, string>) =>
  readSettings({}, { env, cwd: '/', platform: 'linux', home: '/', terminal });

test.each(['CI', 'TF_BUILD', 'JENKINS_URL', 'AGENT', 'CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI'])(
  'a variable that says that nobody answers, %s, turns off prompts and nothing else',
  (variable) => {
    const attended = settings({});
    expect([attended.interactive, settings({ [variable]: '' }).interactive]).toEqual([true, true]);
    const unattended = settings({ [variable]: '1' });
    expect(unattended.interactive).toBe(false);
    expect(unattended.output).toEqual(attended.output);
  },
);
