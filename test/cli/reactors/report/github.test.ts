import { describe, expect, test } from 'vitest';
import { formatAnnotation } from '../../../../src/cli/lib/annotations.js';
import { ReactorCodeError } from '../../../../src/cli/reactors/build/bundling-problems.js';
import { formatFailureAnnotations } from '../../../../src/cli/reactors/report/github.js';

test('formatAnnotation escapes what would end the command or one of its properties', () => {
  const problem = { file: 'a,b:c.ts', line: 3, column: 7, message: '100 %\nor less' };
  expect(formatAnnotation('reactor a', problem)).toBe(
    '::error file=a%2Cb%3Ac.ts,line=3,col=7,title=reactor a::100 %25%0Aor less',
  );
});

describe('formatFailureAnnotations', () => {
  test('has one annotation for each problem, with the path from the root of the repository', () => {
    const error = new ReactorCodeError('no', [
      { file: 'a.ts', line: 1, message: 'one' },
      { file: 'a.ts', line: 2, message: 'two' },
    ]);
    expect(
      formatFailureAnnotations({ kind: 'reactor', name: 'a', error }, '/repo/payments', {
        GITHUB_WORKSPACE: '/repo',
      }),
    ).toEqual([
      '::error file=payments/a.ts,line=1,title=reactor a::one',
      '::error file=payments/a.ts,line=2,title=reactor a::two',
    ]);
  });

  test('has the message of any other error, at the file of the reactor', () => {
    const failed = { kind: 'reactor', name: 'a', file: 'a.ts', error: new Error('Forbidden.') };
    expect(formatFailureAnnotations(failed, '/repo', {})).toEqual([
      '::error file=a.ts,title=reactor a::Forbidden.',
    ]);
  });
});
