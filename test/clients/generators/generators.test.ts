import { symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startEmulator } from '../../support/emulator.js';
import { PACKED, projectDir, runProgram } from '../../support/executable.js';
import { sampled, width } from '../../support/width.js';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const HOOK = new URL('typescript-hook.js', import.meta.url).href;

interface Generator {
  name: string;
  /** Arguments of Node.js that generate `client` from `openapi.json`. */
  command: string[];
  /** Creates a token with the metadata `lot: a`, and logs the ids of those found by it; `BASE_URL` and `KEY` are declared. */
  story: string;
}

const GENERATORS: Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    command: [
      '--import',
      HOOK,
      `${MODULES}/@hey-api/openapi-ts/dist/run.mjs`,
      '-i',
      'openapi.json',
      '-o',
      'client',
    ],
    story: `
      import { client } from './client/client.gen';
      import { reactorsReact, type Token, tokensCreate, tokensList } from './client';
      client.setConfig({ baseUrl: BASE_URL, auth: KEY, throwOnError: true });
      const body = { type: 'token' as const, data: 'secret', metadata: { lot: 'a' } };
      const token: Token = (await tokensCreate<true>({ body })).data;
      const found = (await tokensList<true>({ query: { metadata: { lot: 'a' } } })).data;
      const failed = await reactorsReact({ path: { id: token.tenant_id }, body: {}, throwOnError: false });
      console.log(JSON.stringify([token.id, found.data.map(({ id }) => id), failed.response?.status]));`,
  },
  {
    name: 'oazapfts',
    command: [`${MODULES}/oazapfts/dist/cli.js`, 'openapi.json', 'client.ts'],
    story: `
      import { defaults, reactorsReact, type Token, tokensCreate, tokensList } from './client';
      Object.assign(defaults, { baseUrl: BASE_URL, headers: { 'SVC-API-KEY': KEY } });
      const created = await tokensCreate({ type: 'token', data: 'secret', metadata: { lot: 'a' } });
      if (created.status !== 201) throw new Error(created.data.toString());
      const token: Token = created.data;
      const found = await tokensList({ metadata: { lot: 'a' } });
      if (found.status !== 200) throw new Error(found.data.detail);
      const failed = await reactorsReact(token.tenant_id, {});
      console.log(JSON.stringify([token.id, found.data.data.map(({ id }) => id), failed.status]));`,
  },
  {
    name: 'openapi-typescript-codegen',
    command: [
      `${MODULES}/openapi-typescript-codegen/bin/index.js`,
      '--input',
      'openapi.json',
      '--output',
      'client',
    ],
    story: `
      import { ApiError, OpenAPI, ReactorsService, type Token, TokensService } from './client';
      Object.assign(OpenAPI, { BASE: BASE_URL, HEADERS: { 'SVC-API-KEY': KEY } });
      const body = { type: 'token' as const, data: 'secret', metadata: { lot: 'a' } };
      const token: Token = await TokensService.tokensCreate(body);
      const found = await TokensService.tokensList(undefined, { lot: 'a' });
      const failed = await ReactorsService.reactorsReact(token.tenant_id, {}).catch((error: ApiError) => error);
      console.log(JSON.stringify([token.id, found.data.map(({ id }) => id), (failed as ApiError).status]));`,
  },
];

const DECLARATIONS = `
  declare const process: { env: { BASE_URL: string; KEY: string } };
  const { BASE_URL, KEY } = process.env;`;

const TYPESCRIPT = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', module: 'esnext' },
    ...{ moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
  },
  files: ['story.mts'],
};

async function runIn(cwd: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { cwd, env });
  expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
  return stdout;
}

/** Each takes many seconds: `.ci/run` has one, on the packed package. */
describe.runIf(PACKED || width(false, true)).each(sampled(GENERATORS))(
  'the client that $name generates from /openapi.json',
  ({ command, story }) => {
    test('compiles, creates a token and finds it by its metadata', async () => {
      const emulator = await startEmulator({ port: 0 });
      try {
        const directory = await projectDir({
          'openapi.json': await (await fetch(`${emulator.url}/openapi.json`)).text(),
          'story.mts': DECLARATIONS + story,
          'tsconfig.json': JSON.stringify(TYPESCRIPT),
          'package.json': JSON.stringify({ type: 'module' }),
        });
        await symlink(MODULES, `${directory}/node_modules`);
        await runIn(directory, command);
        await runIn(directory, [`${MODULES}/typescript/bin/tsc`, '-p', '.']);
        const env = { BASE_URL: emulator.url, KEY: emulator.keys.private };
        const [id, found, statusOfUnknownReactor] = JSON.parse(
          await runIn(directory, ['--import', 'tsx', 'story.mts'], env),
        );
        expect(found).toEqual([id]);
        expect(statusOfUnknownReactor).toBe(404);
      } finally {
        await emulator.close();
      }
    });
  },
);
