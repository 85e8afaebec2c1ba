import { expect, test } from 'vitest';
import { useServer } from '../../../support/test-server.js';

const server = useServer();
const as = 'management';

test('of many updates of a tenant at the same time, one is stored completely', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `name ${i}`);
  const answers = await Promise.all(names.map((name) => server.put('/tenants/self', { name }, { as })));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(names).toContain((await server.get('/tenants/self', { as })).body.name);
});
