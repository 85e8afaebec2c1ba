import { describe, expect, it } from 'vitest';
import { createApplication, run, useServer } from '../../../support/test-server.js';

const NAMES = {
  headerPrefix: 'BT',
  moduleAliases: { '@vendor/errors': 'svc-reactor-errors', 'vendor-http': 'axios' },
};

const CLIENT = `module.exports = async ({ args, bt, svc }, context) => {
  if (bt === null) return { raw: [svc, Object.keys(context)] };
  const token = await bt.tokens.create({ type: 'token', data: args.text });
  const [read, retrieved] = [await svc.tokens.get(token.id), await bt.tokens.retrieve(token.id)];
  return { raw: [Object.keys(bt), context.bt === bt, read.id === token.id, retrieved.id === token.id] };
};`;

describe.each(['quickjs', 'node'] as const)('names of another service, runtime %s', (reactorRuntime) => {
  const server = useServer({ ...NAMES, reactorRuntime });

  it('with --header-prefix BT, the client is bt and svc, and get is retrieve', async () => {
    const { id } = await createApplication(server, {
      permissions: ['token:create', 'token:read', 'token:use'],
    });
    const { body } = await run(server, CLIENT, { text: 'a' }, { application: { id } });
    expect(body.raw).toEqual([expect.arrayContaining(['tokens', 'tokenize', 'reactors']), true, true, true]);
  });

  it('without an application, the client is null', async () => {
    expect((await run(server, CLIENT, {})).body.raw).toEqual([null, ['svc', 'bt']]);
  });

  it('an alias is the module that it names, in require and import', async () => {
    const required = await run(
      server,
      `const { RateLimitError } = require('@vendor/errors');
       const same = RateLimitError === require('svc-reactor-errors').RateLimitError;
       module.exports = async () => { throw new RateLimitError('same: ' + same); };`,
    );
    expect([required.status, required.body.errors.error]).toEqual([429, ['same: true']]);
    const imported = await run(
      server,
      `import { RateLimitError } from '@vendor/errors';
       export default async () => { throw new RateLimitError('imported'); };`,
    );
    expect([imported.status, imported.body.errors.error]).toEqual([429, ['imported']]);
  });

  it('other modules are not affected', async () => {
    const { status } = await run(server, "require('@vendor/other'); module.exports = async () => ({});");
    expect(status).toBe(500);
  });
});

describe('without names of another service', () => {
  const server = useServer();

  it('the client is svc only', async () => {
    const code = 'module.exports = async (req, at) => ({ raw: [Object.keys(req), Object.keys(at)] });';
    expect((await run(server, code, {})).body.raw).toEqual([['args', 'configuration', 'svc'], ['svc']]);
  });
});
