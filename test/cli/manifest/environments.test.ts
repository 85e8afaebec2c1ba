import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifest } from '../../../src/cli/manifest/manifest.js';
import { projectDir } from '../../support/project-dir.js';

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

describe('an environment', () => {
  test('overrides values by name: configuration and settings are merged, the rest is replaced', async () => {
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

  test('that overrides nothing leaves the manifest as it is', async () => {
    expect((await read('empty')).reactors[0]?.configuration).toEqual(
      (await read()).reactors[0]?.configuration,
    );
  });

  test('must exist; the error names those that do', async () => {
    await expect(read('prod')).rejects.toMatchObject({
      failure: { hint: 'Its environments: production, misspelt, empty.' },
    });
  });

  test('declares nothing of its own', async () => {
    await expect(read('misspelt')).rejects.toThrow(
      'environments.misspelt.reactors overrides "refund", which the manifest does not declare.',
    );
  });
});

test('what is forgotten must not be declared', async () => {
  const path = join(
    await projectDir({ 'tokenctl.json': '{"reactors":[{"code":"a.js"}],"forget":["a"]}' }),
    'tokenctl.json',
  );
  await expect(readManifest(path)).rejects.toThrow('both declares and forgets "a".');
});
