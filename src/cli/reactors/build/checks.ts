import type { ReactorEntry } from '../project/manifest.js';
import { readText, shownPath } from '../project/source-file.js';
import type { Bundle } from './bundle.js';
import type { CodeProblem } from './code-problem.js';
import { findCardNumbers, findKeys } from './secrets.js';

/** Card numbers and keys in a reactor's own files; the packages it bundles are other people's. */
export async function scanSources({ sources }: Bundle, cwd: string): Promise<CodeProblem[]> {
  const problems: CodeProblem[] = [];
  for (const source of sources) {
    const text = await readText(source, 'The code of a reactor');
    for (const { line, column, kind } of [...findCardNumbers(text), ...findKeys(text)])
      problems.push({ file: shownPath(source, cwd), line, column, message: `looks like ${kind}` });
  }
  return problems;
}

/**
 * Card numbers in any configuration value, and keys in those that the manifest itself holds: it is committed, while an
 * env file or `--config` is where keys belong.
 */
export function scanConfiguration(
  entry: ReactorEntry,
  configuration: Readonly<Record<string, string>> = {},
): CodeProblem[] {
  const committed = entry.configuration ?? {};
  return Object.entries(configuration).flatMap(([name, value]) => {
    const keys = committed[name] === value ? findKeys(`${name}=${JSON.stringify(value)}`) : [];
    const findings = [...findCardNumbers(value), ...keys];
    return findings.map(({ kind }) => ({ message: `configuration.${name} looks like ${kind}` }));
  });
}
