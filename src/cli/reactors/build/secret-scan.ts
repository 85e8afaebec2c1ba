import type { ReactorEntry } from '../project/manifest.js';
import { displayPath, readText } from '../project/source-file.js';
import type { Bundle } from './bundle.js';
import type { CodeProblem } from './code-problem.js';
import { findCardNumbers, findKeys } from './secrets.js';

/** Finds card numbers and keys in a reactor's own files. The packages that it bundles are not searched. */
export async function scanSources({ sources }: Bundle, cwd: string): Promise<CodeProblem[]> {
  const problems: CodeProblem[] = [];
  for (const source of sources) {
    const text = await readText(source, 'The code of a reactor');
    for (const { line, column, kind } of [...findCardNumbers(text), ...findKeys(text)])
      problems.push({ file: displayPath(source, cwd), line, column, message: `looks like ${kind}` });
  }
  return problems;
}

/**
 * Finds card numbers in all configuration values, and keys in the values of the manifest. The manifest is committed;
 * keys belong in an env file or `--config`.
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
