import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PACKAGE, projectDir, tokenctl } from '../support/executable.js';
import { width } from '../support/width.js';

/** Reads the first example of a section of docs/testing.md. */
async function exampleOf(section: string, language: string): Promise<string> {
  const page = await readFile(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [, code] = text.split(`\`\`\`${language}\n`);
  return code?.split('```')[0] ?? '';
}

/** The names that Jest makes global, of another runner of CommonJS. */
const JEST =
  "const { before: beforeAll, beforeEach, afterEach, after: afterAll, test } = require('node:test');\n";

test('the example for Jest passes in CommonJS', async () => {
  const cwd = await projectDir({ 'cards.test.cjs': JEST + (await exampleOf('With another runner', 'js')) });
  await mkdir(join(cwd, 'node_modules'));
  await symlink(PACKAGE, join(cwd, 'node_modules/tokenctl'));
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'cards.test.cjs'], { cwd });
  expect(stdout).toMatch(/pass 1\b[\s\S]*fail 0\b/);
});

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

test.runIf(hasPytest)('the example for pytest passes (needs pytest)', async () => {
  const cwd = await projectDir({ 'test_cards.py': await exampleOf('With another language', 'python') });
  const command = 'emulator exec --no-rate-limit -- python3 -B -m pytest -p no:cacheprovider -q';
  const { code, stdout } = await tokenctl(command, { cwd });
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
});

/** The tests in another language, and what they need. Every package manager of a distribution has it. */
const JAVA = '/usr/share/java/junit-platform-console-standalone.jar:/usr/share/java/*';
const LANGUAGES: Record<string, { needs: string; command: string; build?: string; passes: RegExp }> = {
  go: { needs: 'go version', command: 'go test ./...', passes: /^ok/m },
  ruby: {
    needs: "ruby -e 'require %q(minitest)'",
    command: 'ruby cards_test.rb',
    passes: /2 runs.* 0 failures/,
  },
  php: { needs: 'phpunit --version', command: 'phpunit CardsTest.php', passes: /OK \(2 tests/ },
  java: {
    needs: `javac --version && ls ${JAVA.split(':')[0]}`,
    build: `javac -cp '${JAVA}' -d classes CardsTest.java`,
    command: `java -cp 'classes:${JAVA}' org.junit.platform.console.ConsoleLauncher --scan-classpath classes`,
    passes: /2 tests successful/,
  },
};

for (const [language, { needs, build = 'true', command, passes }] of Object.entries(LANGUAGES)) {
  const isHere = width(false, true) && spawnSync('sh', ['-c', needs]).status === 0;
  test.runIf(isHere)(`the tests in fixtures/languages/${language} pass (needs its tools)`, async () => {
    const cwd = await projectDir({});
    await cp(new URL(`../../fixtures/languages/${language}`, import.meta.url), cwd, { recursive: true });
    expect(spawnSync('sh', ['-c', build], { cwd }).status).toBe(0);
    const env = { GOCACHE: join(cwd, 'cache'), GOFLAGS: '-mod=mod' };
    const { stdout } = await tokenctl(['emulator', 'exec', '--no-rate-limit', '--', 'sh', '-c', command], {
      cwd,
      env,
    });
    expect(stdout).toMatch(passes);
  });
}
