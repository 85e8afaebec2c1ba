import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import type { ReactorTestCase } from '../../../../src/cli/reactors/test/test-file.js';
import { usePaymentProcessor } from '../../../support/payment-processor.js';
import { deployedCode, readSample } from '../../../support/sample-reactors.js';
import { createReactor, react, useServer } from '../../../support/test-server.js';

const MODULES = fileURLToPath(new URL('../../../../', import.meta.url));
const server = useServer({ reactorRuntime: 'node', reactorModules: MODULES });
const sample = await readSample('charge-with-stripe');
const processor = usePaymentProcessor();
let reactor: string;

beforeAll(async () => {
  for (const token of sample.tokens ?? []) await server.token(token);
  reactor = await createReactor(server, await deployedCode('charge-with-stripe.js'), {
    configuration: { ...sample.configuration, PROCESSOR_URL: processor.url },
  });
});

it.each(sample.cases)(
  "--reactor-runtime node with --reactor-modules: the vendor's own package: $name",
  async ({ args, result, error }: ReactorTestCase) => {
    const answer = await react(server, reactor, args);
    expect(answer.status, JSON.stringify(answer.body)).toBe(error?.status ?? 200);
    if (result) expect(answer.body).toEqual(result);
    if (error) expect(answer.body.errors).toEqual(error.errors);
  },
);
