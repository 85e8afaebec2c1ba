import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../support/executable.js';

const FILES = {
  'more.yaml': 'reactors:\n  - { code: b.js }\n  - code: c.js\n    external: none\n',
  'a.js': '',
};

const show = async (text: string, line = 'manifest show', env: Record<string, string> = {}) =>
  tokenctl(line, { cwd: await projectDir({ ...FILES, 'tokenctl.yaml': text }), env });

test.each([
  ['a value', 'reactors:\n  - code: a.js\n    bundle: 1\n', 'reactors.0.bundle', 'tokenctl.yaml', 3, 5],
  ['what is missing', 'reactors:\n  - name: a\n', 'reactors.0.code', 'tokenctl.yaml', 2, 5],
  ['an unknown property', 'x-a: &a {}\nreactor: []\n', 'reactor', 'tokenctl.yaml', 2, 1],
  [
    'an included file',
    'include: [more.yaml]\nreactors: [{ code: a.js }]\n',
    'reactors.2.external',
    'more.yaml',
    4,
    5,
  ],
  [
    'an alias',
    'x-a: &a\n  - { code: a.js, bundle: 1 }\nreactors: *a\n',
    'reactors.0.bundle',
    'tokenctl.yaml',
    2,
    19,
  ],
  [
    'a merge key',
    'x-a: &a { bundle: 1 }\nreactors:\n  - <<: *a\n    code: a.js\n',
    'reactors.0.bundle',
    'tokenctl.yaml',
    3,
    5,
  ],
])('an error of the manifest has the position of %s', async (_name, text, path, file, line, column) => {
  const { code, stderr } = await show(text);
  expect(code).toBe(2);
  const { error } = JSON.parse(stderr);
  expect(Object.keys(error.errors)).toEqual([path]);
  expect(error.positions).toEqual([{ path, file, line, column }]);
});

test.each([
  ['reactors:\n  - { name: a, code: a.js }\n  - { code: a.js }\n', 'manifest show', 3, 5],
  ['reactors:\n  - { code: a.js, only: [none] }\n', 'manifest show', 2, 5],
  ['environments:\n  p:\n    reactors:\n      - { name: a }\n', 'manifest show --environment p', 4, 9],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a reference looks like.
  ["webhooks:\n  - { name: w, url: 'https://${var:X}' }\n", 'manifest show', 2, 5],
  ['reactors: [{ code: a.js }]\nforget: [a]\n', 'manifest show', 2, 1],
])('a sentence about the manifest says where: %j', async (text, command, line, column) => {
  expect((await show(text, `${command} -o yaml`)).stderr).toContain(` (tokenctl.yaml:${line}:${column}).\n`);
  const { code, stderr } = await show(text, command);
  expect(code).toBe(2);
  const { error } = JSON.parse(stderr);
  expect(error.positions).toMatchObject([{ file: 'tokenctl.yaml', line, column }]);
});

test('a person reads the position behind the message, GitHub Actions gets an annotation', async () => {
  const text = 'reactors:\n  - code: a.js\n    bundle: 1\n';
  expect((await show(text, 'manifest show -o yaml')).stderr).toMatch(
    /^ {2}reactors\.0\.bundle: must be true or false \(tokenctl\.yaml:3:5\)$/m,
  );
  const github = { GITHUB_ACTIONS: 'true' };
  expect((await show(text, 'manifest show -o yaml', github)).stderr).toContain(
    '::error file=tokenctl.yaml,line=3,col=5,title=tokenctl.yaml::reactors.0.bundle: must be true or false\n',
  );
  expect((await show('reactors: [', 'manifest show', github)).stderr).toMatch(
    /^::error file=tokenctl\.yaml,line=1,col=12,title=tokenctl\.yaml::The project file .* is not YAML/m,
  );
});
