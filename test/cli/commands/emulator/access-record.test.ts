import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import yaml from 'yaml';
import { EXECUTABLE, projectDir, runProgram } from '../../../support/executable.js';
import { width } from '../../../support/width.js';

interface Declared {
  name: string;
  permissions?: string[];
  rules?: { container: string; transform: string; permissions: string[] }[];
}

/** Works with tokens, a list and a reactor, and fails at the first response that is not a success. */
const SUITE = `
const { TOKENCTL_BASE_URL: url, TOKENCTL_MANAGEMENT_KEY: management, TOKENCTL_PRIVATE_KEY: own } = process.env;
async function call(key, method, path, body, type = 'application/json') {
  const headers = { 'SVC-API-KEY': key, 'content-type': type };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(method + ' ' + path + ': ' + response.status);
  return response.status === 204 ? undefined : response.json();
}
const { id } = await call(own, 'POST', '/tokens', { type: 'card', data: { number: '4242424242424242' } });
await call(own, 'POST', '/tokens', { type: 'token', data: 'n', containers: ['/a/', '/a/b/'], metadata: { tag: 't' } });
const { data } = await call(own, 'GET', '/tokens?metadata.tag=t');
if (data[0]?.data !== 'n') throw new Error('not listed');
await call(own, 'PATCH', '/tokens/' + id, { metadata: { a: 'b' } }, 'application/merge-patch+json');
await call(own, 'POST', '/detokenize', '{{ ' + id + ' }}');
await call(management, 'GET', '/reactors');
await call(management, 'GET', '/tenants/self');
`;

/** Returns every manifest that has one permission less. */
function reduced(applications: readonly Declared[]): [what: string, applications: Declared[]][] {
  const copy = () => structuredClone(applications) as Declared[];
  return applications.flatMap(({ name, permissions = [], rules = [] }, index) => [
    ...permissions.map((permission): [string, Declared[]] => {
      const less = copy();
      Object.assign(less[index] ?? {}, { permissions: permissions.filter((one) => one !== permission) });
      return [`${permission} of ${name}`, less];
    }),
    ...rules.flatMap((rule, at) =>
      rule.permissions.map((permission): [string, Declared[]] => {
        const less = copy();
        const left = rule.permissions.filter((one) => one !== permission);
        less[index]?.rules?.splice(at, 1, ...(left.length > 0 ? [{ ...rule, permissions: left }] : []));
        return [`${permission} of ${name} on ${rule.container}`, less];
      }),
    ),
  ]);
}

test.runIf(width(false, true))('a suite passes with the recorded access, and fails with less', async () => {
  const directory = await projectDir({ 'suite.mjs': SUITE });
  const tokenctl = (...args: string[]) =>
    runProgram(process.execPath, [EXECUTABLE, 'emulator', ...args, '--', 'node', 'suite.mjs'], {
      cwd: directory,
    });
  const exec = async (applications: unknown) => {
    await writeFile(join(directory, 'tried.yaml'), yaml.stringify({ applications }));
    return tokenctl('exec', '--access', 'tried.yaml');
  };
  const recorded = await tokenctl('access', 'record', '--out', 'access.yaml');
  expect(recorded.code, recorded.stderr).toBe(0);
  const { applications } = yaml.parse(await readFile(join(directory, 'access.yaml'), 'utf8'));
  expect(applications).toMatchObject([
    {
      name: 'private',
      rules: [
        { container: '/a/', transform: 'reveal', permissions: ['token:create', 'token:read'] },
        { container: '/pci/high/', permissions: ['token:create', 'token:update', 'token:use'] },
      ],
    },
    { name: 'management', permissions: ['reactor:read', 'tenant:read'] },
  ]);
  expect((await exec(applications)).code).toBe(0);
  const attempts = reduced(applications);
  expect(attempts).toHaveLength(7);
  for (const [what, less] of attempts) expect((await exec(less)).code, what).toBe(1);
});
