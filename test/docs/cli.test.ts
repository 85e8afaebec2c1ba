import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CLI_DOCS_FILE, cliDocs } from '../../.config/cli-docs.js';

test('docs/cli.md matches the command table (npm run docs rewrites it)', async () => {
  expect(await readFile(CLI_DOCS_FILE, 'utf8')).toBe(cliDocs());
});
