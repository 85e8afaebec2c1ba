import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReport, writeJobSummary } from '../../../../src/cli/tenant-config/report/report.js';
import { projectDir } from '../../../support/project-dir.js';

test('writeJobSummary appends a table in which no name can break out of its cell', async () => {
  const path = join(await projectDir({ 'summary.md': 'before\n' }), 'summary.md');
  const results = [
    {
      kind: 'reactor' as const,
      name: 'a|<b>',
      status: 'updated' as const,
      remote: 'written' as const,
      verified: true,
      changes: [{ field: 'code', change: 'changed' as const }],
      weakenings: [],
      durationMs: 1,
    },
  ];
  const options = {
    target: 'https://api.example.com',
    tenant: { id: 'tenant 1', name: 'Acme | Co' },
    manifest: undefined,
    environment: undefined,
    dryRun: false,
  };
  await writeJobSummary(createReport(results, options), { GITHUB_STEP_SUMMARY: path });
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(
    /^before\n### Applied to https:\/\/api\.example\.com, tenant Acme \\\| Co tenant 1: 1 updated\n/,
  );
  expect(text).toContain('| reactor | a\\|&lt;b> | updated | code |');
});
