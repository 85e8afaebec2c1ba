import { expect, test } from 'vitest';
import { collectOutput } from '../../support/output.js';

test('the target waits for the first result where errors are JSON', async () => {
  const { output, lines } = await collectOutput({});
  output.target('→ production');
  expect(lines).toEqual([]);
  await output.result({ ok: true }, { redaction: 'plain' });
  expect(lines[0]).toBe('err → production');
});

test('the target is printed at the end of a command without a result', async () => {
  const { output, lines } = await collectOutput({});
  output.target('→ production');
  output.flush();
  output.flush();
  expect(lines).toEqual(['err → production']);
});

test('the target is printed at once where errors are text, and never with --quiet', async () => {
  const table = await collectOutput({ mode: 'table' });
  table.output.target('→ production');
  expect(table.lines).toEqual(['err → production']);
  const quiet = await collectOutput({ mode: 'table', quiet: true });
  quiet.output.target('→ production');
  quiet.output.flush();
  expect(quiet.lines).toEqual([]);
});
