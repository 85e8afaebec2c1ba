import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULTS_PAGE, faultsPage } from './faults.js';

test('docs/faults.md lists the faults of the tests (npm run faults rewrites it)', () => {
  expect(readFileSync(FAULTS_PAGE, 'utf8')).toBe(faultsPage());
});
