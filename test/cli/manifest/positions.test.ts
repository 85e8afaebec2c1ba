import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CliError } from '../../../src/cli/lib/errors.js';
import { readManifest } from '../../../src/cli/manifest/manifest.js';
import { projectDir, tokenctl } from '../../support/executable.js';

const FILES = {
  'more.yaml': 'reactors:\n  - { code: b.js }\n  - code: c.js\n    external: none\n',
  'a.js': '',
};

/** Reads a manifest that is not valid. @returns its errors by path, and where they are */
async function failureOf(text: string, environment?: string) {
  const cwd = await projectDir({ ...FILES, 'tokenctl.yaml': text });
  const error = await readManifest(join(cwd, 'tokenctl.yaml'), environment).catch((one: unknown) => one);
  const { errors, positions = [], detail } = (error as CliError).failure;
  return {
    detail,
    errors,
    positions: positions.map((one) => ({ ...one, file: one.file.slice(cwd.length + 1) })),
  };
}

test.each([
  ['a value', 'reactors:\n  - code: a.js\n    bundle: 1\n', 'reactors.0.bundle', 'tokenctl.yaml:3:5'],
  ['what is missing', 'reactors:\n  - name: a\n', 'reactors.0.code', 'tokenctl.yaml:2:5'],
  ['an unknown property', 'x-a: &a {}\nreactor: []\n', 'reactor', 'tokenctl.yaml:2:1'],
  [
    'an included file',
    'include: [more.yaml]\nreactors: [{ code: a.js }]\n',
    'reactors.2.external',
    'more.yaml:4:5',
  ],
  [
    'an alias',
    'x-a: &a\n  - { code: a.js, bundle: 1 }\nreactors: *a\n',
    'reactors.0.bundle',
    'tokenctl.yaml:2:19',
  ],
  [
    'a merge key',
    'x-a: &a { bundle: 1 }\nreactors:\n  - <<: *a\n    code: a.js\n',
    'reactors.0.bundle',
    'tokenctl.yaml:3:5',
  ],
])('an error of the manifest has the position of %s', async (_name, text, path, place) => {
  const { errors, positions } = await failureOf(text);
  expect(Object.keys(errors ?? {})).toEqual([path]);
  expect(positions.map(({ file, line, column, path }) => [path, [file, line, column].join(':')])).toEqual([
    [path, place],
  ]);
});

test.each([
  ['reactors:\n  - { name: a, code: a.js }\n  - { code: a.js }\n', undefined, 3, 5],
  ['reactors:\n  - { code: a.js, only: [none] }\n', undefined, 2, 5],
  ['environments:\n  p:\n    reactors:\n      - { name: a }\n', 'p', 4, 9],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a reference looks like.
  ["webhooks:\n  - { name: w, url: 'https://${var:X}' }\n", undefined, 2, 5],
  ['reactors: [{ code: a.js }]\nforget: [a]\n', undefined, 2, 1],
])('a sentence about the manifest says where: %j', async (text, environment, line, column) => {
  expect((await failureOf(text, environment)).positions).toMatchObject([
    { file: 'tokenctl.yaml', line, column },
  ]);
});

const show = async (text: string, flags: string, env: Record<string, string> = {}) =>
  (await tokenctl(`manifest show ${flags}`, { cwd: await projectDir({ 'tokenctl.yaml': text }), env }))
    .stderr;

test('a person reads the position behind the message, a program as data, GitHub Actions gets an annotation', async () => {
  const text = 'reactors:\n  - code: a.js\n    bundle: 1\n';
  expect(await show(text, '-o yaml')).toMatch(
    /^ {2}reactors\.0\.bundle: must be true or false \(tokenctl\.yaml:3:5\)$/m,
  );
  expect(await show('reactors: [{ code: a.js }]\nforget: [a]\n', '-o yaml')).toContain(
    ' (tokenctl.yaml:2:1).\n',
  );
  const position = { path: 'reactors.0.bundle', file: 'tokenctl.yaml', line: 3, column: 5 };
  expect(JSON.parse(await show(text, '')).error.positions).toEqual([position]);
  const github = { GITHUB_ACTIONS: 'true' };
  expect(await show(text, '-o yaml', github)).toContain(
    '::error file=tokenctl.yaml,line=3,col=5,title=tokenctl.yaml::reactors.0.bundle: must be true or false\n',
  );
  expect(await show('reactors: [', '', github)).toMatch(
    /^::error file=tokenctl\.yaml,line=1,col=12,title=tokenctl\.yaml::The project file .* is not YAML/m,
  );
});
