import { test } from 'tokenctl/playwright';
import { FAILING } from '../fails.js';

for (const [name, run] of Object.entries(FAILING))
  test(name, ({ tenant, client }) => run({ tenant, client }));
