import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CliError } from '../../../src/cli/lib/errors.js';
import { readManifest } from '../../../src/cli/manifest/manifest.js';
import { readTestFile } from '../../../src/cli/reactors/test/test-file.js';
import { NOUNS, RESOURCES } from '../../../src/contract/resources.js';
import { projectDir } from '../../support/executable.js';

async function manifest(text: string, name = 'tokenctl.json') {
  const directory = await projectDir({ [name]: text });
  return { directory, manifest: await readManifest(join(directory, name)) };
}

async function errorsOf(content: unknown): Promise<unknown> {
  const error = await manifest(JSON.stringify(content)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CliError);
  return (error as CliError).failure.errors;
}

test.each([
  ['reactors: []\nreactors: []\n', 'duplicate key at line 2, column 1'],
  ['reactors:\n\t- code: a.js\n', 'tab as indent at line 2, column 1'],
])('readManifest rejects invalid YAML with the reason and the position', async (text, reason) => {
  await expect(manifest(text, 'tokenctl.yaml')).rejects.toThrow(`is not YAML (${reason}).`);
});

test('readManifest rejects another encoding, whose characters would be replaced on deployment', async () => {
  const path = join(await projectDir({}), 'tokenctl.yaml');
  await writeFile(path, 'reactors: [{ code: a.js, configuration: { GREETING: Grüße } }]', 'latin1');
  await expect(readManifest(path)).rejects.toThrow(`The project file ${path} is not UTF-8.`);
});

test('readManifest reads JSON written on Windows: byte order mark, CRLF, backslashes', async () => {
  const text = `\uFEFF{\r\n"reactors": [{ "code": "reactors\\\\charge.ts" }]\r\n}`;
  const { directory, manifest: read } = await manifest(text);
  expect(read.reactors[0]).toMatchObject({
    name: 'charge',
    code: join(directory, 'reactors', 'charge.ts'),
  });
});

test.each([
  [
    'a number as configuration',
    { reactors: [{ code: 'a.js', configuration: { DAYS: 2 } }] },
    'reactors.0.configuration.DAYS',
    'must be a string; put numbers and true or false in quotes',
  ],
  ['no code', { reactors: [{ name: 'a' }] }, 'reactors.0.code', 'is required, a string'],
  [
    'a misspelt property',
    { reactors: [{ code: 'a.js', envfile: 'x' }] },
    'reactors.0.envfile',
    'is not a known property. Did you mean env_file? Known: name, configuration, env_file, application, runtime, smoke, previous_name, only, except, code, bundle, minify, external',
  ],
  [
    'a misspelt section',
    { reactor: [] },
    'reactor',
    `is not a known property. Did you mean reactors? Known: $schema, profile, base_url, header_prefix, external, module_aliases, emulator, include, variables, defaults, tenant, ${NOUNS.map((noun) => RESOURCES[noun].collection).join(', ')}, environments, forget`,
  ],
  [
    'defaults with permissions and rules',
    { defaults: { applications: { permissions: ['token:read'], rules: [] } } },
    'defaults.applications.rules',
    'cannot be combined with permissions; an application has either',
  ],
  [
    'an unknown permission',
    { applications: [{ name: 'a', permissions: ['token:read', 'token:write'] }] },
    'applications.0.permissions.1',
    'token:write is not a permission. Did you mean token:create?',
  ],
  [
    'an unknown type of event',
    { webhooks: [{ name: 'w', url: 'https://shop.example', events: ['token.lost'] }] },
    'webhooks.0.events.0',
    'token.lost is not a type of event; list them: tokenctl webhook event-types',
  ],
  [
    'an unknown type that may be a secret',
    { applications: [{ name: 'a', type: 'hunter2' }] },
    'applications.0.type',
    'must be one of public, private, management',
  ],
])('readManifest rejects %s and names the property', async (_name, content, path, message) => {
  expect(await errorsOf(content)).toEqual({ [path]: [message] });
});

const values = '{"configuration": {"KEY": sk_live_value}}';

test.each([
  ['tokenctl.json', 'is not JSON.'],
  ['tokenctl.yaml', 'is not YAML (missing char at line 1, column 41).'],
])('an error about invalid content does not quote the content of %s', async (name, message) => {
  const broken = name.endsWith('.yaml') ? values.replace('}}', '}: *sk_live') : values;
  const error = await manifest(broken, name).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(message);
  expect(String(error)).not.toContain('sk_live');
});

test('an error about invalid content does not quote the content of a test file', async () => {
  const path = join(await projectDir({ 'charge.test.json': values }), 'charge.test.json');
  const error = await readTestFile(path).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('charge.test.json is not JSON.');
  expect(String(error)).not.toContain('sk_live');
});
