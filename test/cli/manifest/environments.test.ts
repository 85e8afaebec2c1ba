import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifest } from '../../../src/cli/manifest/manifest.js';
import { projectDir } from '../../support/executable.js';

const MANIFEST = `
tenant: { name: Base, settings: { fingerprint_tokens: true } }
applications:
  - { name: payments, type: private, permissions: ['token:read'] }
reactors:
  - code: charge.js
    application: payments
    configuration: { CURRENCY: USD, URL: https://sandbox.example }
environments:
  production:
    tenant: { settings: { deduplicate_tokens: true } }
    applications:
      - { name: payments, rules: [{ priority: 1, container: /PCI/, transform: mask, permissions: ['token:read'] }] }
    reactors:
      - { name: charge, configuration: { URL: https://processor.example }, application: null }
  misspelt:
    reactors: [{ name: refund }]
  empty: {}
`;

async function read(environment?: string) {
  const path = join(await projectDir({ 'tokenctl.yaml': MANIFEST }), 'tokenctl.yaml');
  return readManifest(path, environment);
}

test('an environment overrides values by name: configuration and settings are merged, the rest is replaced', async () => {
  const { content, reactors } = await read('production');
  expect(content.tenant).toEqual({
    name: 'Base',
    settings: { fingerprint_tokens: 'true', deduplicate_tokens: 'true' },
  });
  expect(content.applications).toEqual([
    {
      name: 'payments',
      type: 'private',
      rules: [{ priority: 1, container: '/pci/', transform: 'mask', permissions: ['token:read'] }],
    },
  ]);
  expect(reactors).toMatchObject([
    {
      name: 'charge',
      application: null,
      configuration: { CURRENCY: 'USD', URL: 'https://processor.example' },
    },
  ]);
});

test('an environment must exist; the error names those that do', async () => {
  await expect(read('prod')).rejects.toMatchObject({
    failure: { hint: 'Its environments: production, misspelt, empty.' },
  });
});

test('an environment declares nothing of its own', async () => {
  await expect(read('misspelt')).rejects.toThrow(
    'environments.misspelt.reactors overrides "refund", which the manifest does not declare.',
  );
});

const WHOLE = `
x-card: &card { application: payments, configuration: { CURRENCY: EUR } }
include: [hooks.yaml]
variables: { HOST: sandbox.example, PREFIX: v1 }
defaults:
  reactors: { application: payments, configuration: { CURRENCY: USD, DEBUG: '1' } }
reactors:
  - { code: charge.js }
  - { code: refund.js, only: [production] }
  - { code: probe.js, except: [production] }
  - { <<: *card, code: quote.js, configuration: { URL: 'https://\${var:HOST}', TEXT: '$\${var:HOST}', KEY: '\${env:KEY}' } }
proxies:
  - { name: processor, destination_url: 'https://\${var:HOST}/\${var:PREFIX}/\${env:ACCOUNT}' }
environments:
  production:
    variables: { HOST: processor.example }
    reactors: [{ name: charge, configuration: { DEBUG: ~ } }]
`;
const HOOKS = `
webhooks: [{ name: orders, url: 'https://\${var:HOST}/hooks', events: [token.created] }]
environments:
  production: { proxies: [{ name: processor, require_auth: false }] }
`;

async function readWhole(environment?: string, whole = WHOLE, hooks = HOOKS) {
  const directory = await projectDir({ 'tokenctl.yaml': whole, 'hooks.yaml': hooks });
  return readManifest(join(directory, 'tokenctl.yaml'), environment, undefined, { ACCOUNT: 'a7' });
}

describe('a manifest for several environments', () => {
  test.each([
    [undefined, ['charge', 'probe', 'quote']],
    ['production', ['charge', 'refund', 'quote']],
  ])('has in %s what `only` and `except` leave', async (environment, names) => {
    expect((await readWhole(environment)).reactors.map(({ name }) => name)).toEqual(names);
  });

  test('has defaults, under the values of the object and of the environment, which removes a value by null', async () => {
    const [charge] = (await readWhole('production')).content.reactors ?? [];
    expect(charge).toEqual({
      name: 'charge',
      code: 'charge.js',
      application: 'payments',
      configuration: { CURRENCY: 'USD' },
    });
  });

  test('replaces variables in every text, and takes those of addresses from the environment', async () => {
    const { content } = await readWhole('production');
    expect(content.proxies).toEqual([
      { name: 'processor', destination_url: 'https://processor.example/v1/a7', require_auth: false },
    ]);
    expect(content.webhooks).toMatchObject([{ url: 'https://processor.example/hooks' }]);
    expect((await readWhole()).content.webhooks).toMatchObject([{ url: 'https://sandbox.example/hooks' }]);
    const quote = content.reactors?.find(({ name }) => name === 'quote');
    // `<<` is a merge of YAML, which knows nothing of configuration: the one of the object replaces that of the anchor.
    expect(quote?.configuration).toEqual({
      CURRENCY: 'USD',
      DEBUG: '1',
      URL: 'https://processor.example',
      TEXT: `$\{var:HOST}`,
      KEY: `$\{env:KEY}`,
    });
  });

  test.each([
    [
      'an environment that there is not',
      WHOLE.replace('only: [production]', 'only: [prodution]'),
      'names the environment "prodution", which does not exist. Did you mean production?',
    ],
    [
      'both only and except',
      WHOLE.replace('only: [production]', 'only: [production], except: [production]'),
      'The reactor "refund" of <path> has both `only` and `except`.',
    ],
    [
      'a variable without a value',
      WHOLE.replace('HOST: sandbox.example, ', ''),
      'refers to the variable HOST, which has no value here.',
    ],
    [
      'an address that is none',
      WHOLE.replace(/'https:(?=.*PREFIX)/, "'ftp:"),
      'destination_url of the proxy "processor" must be a URL that starts with https:// (http:// to loopback only).',
    ],
    [
      'a variable of the environment that is not set',
      WHOLE.replace('env:ACCOUNT', 'env:OTHER'),
      'destination_url of the proxy "processor" takes OTHER from the environment, where it is not set.',
    ],
    [
      'two objects of a name',
      WHOLE.replace('probe.js', 'charge.js'),
      'contains the reactor "charge" more than once.',
    ],
  ])('is refused with %s', async (_, whole, message) => {
    const error = await readWhole(undefined, whole).catch((error: Error) => error);
    expect((error as Error).message.replace(/\/\S*tokenctl.yaml/, '<path>')).toContain(message);
  });

  test.each([
    ['sets a value again', 'variables: { HOST: x }', /sets HOST, which is already set/],
    ['includes others', 'include: [more.yaml]', /cannot include others/],
    ['is not there', undefined, /included file .*cannot be read|does not exist/],
  ])('is refused when an included file %s', async (_, hooks, message) => {
    const whole = hooks === undefined ? WHOLE.replace('hooks.yaml', 'none.yaml') : WHOLE;
    await expect(readWhole(undefined, whole, hooks)).rejects.toThrow(message);
  });
});

test('what is forgotten must not be declared', async () => {
  const path = join(
    await projectDir({ 'tokenctl.json': '{"reactors":[{"code":"a.js"}],"forget":["a"]}' }),
    'tokenctl.json',
  );
  await expect(readManifest(path)).rejects.toThrow('both declares and forgets "a".');
});
