import type { ReactorEntry } from '../../manifest/manifest.js';
import { displayPath, readText } from '../project/source-file.js';
import type { Bundle } from './bundle.js';
import { type CodeProblem, ReactorCodeError } from './code-problem.js';
import { findCardNumbers, findKeys } from './secrets.js';

/** Finds card numbers and keys in a reactor's own files. The packages that it bundles are not searched. */
export async function scanSources({ sources }: Bundle, cwd: string): Promise<CodeProblem[]> {
  const problems: CodeProblem[] = [];
  for (const source of sources) {
    const text = await readText(source, 'The code file');
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
  entry: Pick<ReactorEntry, 'configuration'>,
  configuration: Readonly<Record<string, string>> = {},
): CodeProblem[] {
  const committed = entry.configuration ?? {};
  return Object.entries(configuration).flatMap(([name, value]) => {
    const keys = committed[name] === value ? findKeys(`${name}=${JSON.stringify(value)}`) : [];
    const findings = [...findCardNumbers(value), ...keys];
    return findings.map(({ kind }) => ({ message: `configuration.${name} looks like ${kind}` }));
  });
}

const SECRETS_HINT =
  'Move keys to an env file that is not committed, and card data to tokens. If this is not a secret, use --allow-secrets.';

/** @throws {ReactorCodeError} if there are findings. @param what was searched: a file */
export function assertNoSecrets(what: string, found: readonly CodeProblem[]): void {
  if (found.length > 0)
    throw new ReactorCodeError(`${what} appears to contain a secret.`, found, SECRETS_HINT);
}
