import { expect, test } from 'vitest';
import { renderReport } from '../../../../src/cli/commands/shared/tenant-config/report-view.js';
import { loadStyle } from '../../../../src/cli/output/style.js';
import type { ObjectResult } from '../../../../src/cli/tenant-config/apply/result.js';
import { formatMarkdown } from '../../../../src/cli/tenant-config/report/markdown.js';
import { createReport, summarize } from '../../../../src/cli/tenant-config/report/report.js';

const OPTIONS = {
  target: 'https://api.example.com',
  tenant: { id: 'tenant 1', name: 'Acme' },
  manifest: 'tokenctl.yaml',
  environment: undefined,
  dryRun: false,
};

const result = (more: Partial<ObjectResult>): ObjectResult => ({
  kind: 'reactor',
  name: 'charge',
  status: 'created',
  remote: 'written',
  verified: true,
  changes: [],
  weakenings: [],
  durationMs: 12.6,
  ...more,
});

test.each([
  [[result({}), result({ status: 'failed' })], false, '1 created, 1 failed'],
  [[result({ status: 'deleted' })], true, '1 to delete'],
  [[], false, 'nothing to do'],
])('summarize: %#', (results, dryRun, text) => {
  expect(summarize(createReport(results, { ...OPTIONS, dryRun }))).toBe(text);
});

test('on a terminal a plan shows what changes, with its diff indented, and counts the rest', async () => {
  const changed = result({
    status: 'updated',
    changes: [{ field: 'code', change: 'changed' }],
    diff: '+ new',
  });
  const plan = [result({ name: 'other', status: 'unchanged', id: 'id' }), changed];
  const render = async (dryRun: boolean, width: number) =>
    renderReport(createReport(plan, { ...OPTIONS, dryRun }), await loadStyle(false), false, width).split(
      '\n',
    );
  const update = 'update     reactor charge  code';
  expect(await render(true, 80)).toEqual([update, '  + new', '1 to update, 1 unchanged']);
  const unchanged = 'unchanged  reactor other   id';
  const all = Number.POSITIVE_INFINITY;
  expect(await render(true, all)).toEqual([unchanged, update, '+ new', '1 to update, 1 unchanged']);
  expect(await render(false, 80)).toContain(unchanged);
});

test('formatMarkdown: text from others is no Markdown, and a diff ends where it ends', () => {
  const name = '_a_ ~b~ #1 @team | `c` **d** [e](f) <g>\nh';
  const diff = '+ ````\n+ </details>';
  const changed = result({
    name,
    status: 'updated',
    changes: [{ field: 'code', change: 'changed' }],
    diff,
  });
  const text = formatMarkdown(createReport([changed], { ...OPTIONS, dryRun: true }));
  const escaped =
    '\\_a\\_ \\~b\\~ \\#<!-- -->1 \\@<!-- -->team \\| \\`c\\` \\*\\*d\\*\\* \\[e\\](f) &lt;g> h';
  expect(text).toContain(`| reactor | ${escaped} | update | code |`);
  expect(text).toContain(`<summary>reactor ${escaped}</summary>\n\n\`\`\`\`\`diff\n${diff}\n\`\`\`\`\`\n`);
});

test('formatMarkdown stays within the length of a comment, and counts what it leaves out', () => {
  const diff = 'x'.repeat(1000);
  const changed = result({ status: 'updated', changes: [{ field: 'code', change: 'changed' }], diff });
  const report = createReport(Array(2000).fill(changed), { ...OPTIONS, dryRun: true });
  const text = formatMarkdown(report);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/^\d+ more objects: see the output of the command\.$/m);
  expect(text).toMatch(/^19\d\d more diffs: /m);
});
