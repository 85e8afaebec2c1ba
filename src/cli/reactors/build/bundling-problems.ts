import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import type { Message } from 'esbuild';
import { REACTOR_MODULES } from '../../../contract/reactor-runtime.js';
import type { CodeProblem } from '../../lib/annotations.js';
import { CliError } from '../../lib/errors.js';
import { displayPath } from '../project/selection.js';
import { packageOfFile, packageOfImport } from './imports-plugin.js';

/** A reactor whose code or configuration cannot be deployed or run. */
export class ReactorCodeError extends CliError {
  constructor(
    detail: string,
    readonly problems: readonly CodeProblem[],
    hint?: string,
  ) {
    super('invalid', detail, { errors: groupByFile(problems), hint });
  }
}

/** Groups problems by file as `3:7: message`. */
function groupByFile(problems: readonly CodeProblem[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { file = 'reactor', line, column, message } of problems) {
    const text = [line, column, ` ${message}`]
      .filter((part) => part !== undefined)
      .join(':')
      .trim();
    errors[file] = [...(errors[file] ?? []), text];
  }
  return errors;
}

interface BundlingFailure {
  file: string;
  errors: readonly Message[];
  /** Absolute path that esbuild's paths are relative to. */
  directory: string;
  cwd: string;
}

/** What esbuild says, and the same in words for someone who does not know it. */
const PLAIN_WORDS: readonly [RegExp, string][] = [
  [
    /^Top-level await .*/,
    'await outside of a function; the service loads code without waiting, so move it into the function of the reactor',
  ],
  [
    /^No loader is configured for "(\S+)" files: (.*)/,
    '$2 cannot be bundled: code is one text of JavaScript, which $1 files cannot be part of',
  ],
];

function toProblem({ text, location }: Message, { directory, cwd }: BundlingFailure): CodeProblem {
  const message = PLAIN_WORDS.reduce((said, [pattern, words]) => said.replace(pattern, words), text);
  if (!location) return { message };
  const file = displayPath(resolve(directory, location.file), cwd);
  return { file, line: location.line, column: location.column + 1, message };
}

const notFound = (name: string): string =>
  `${JSON.stringify(name)} is neither provided by the service (${REACTOR_MODULES.join(', ')}) nor an installed package`;

/** @param own modules that files of the project import */
function adviseOnMissing(packages: readonly string[], own: readonly string[]): string | undefined {
  const builtins = own.filter(isBuiltin);
  const notInstalled = own.map(packageOfImport).filter((name) => !isBuiltin(name));
  const needNode = [...new Set([...packages, ...builtins])];
  const install =
    notInstalled.length > 0 ? [`Install with: npm install ${[...new Set(notInstalled)].join(' ')}.`] : [];
  const leave = `Use a package without modules of Node.js, or leave it out with --external ${needNode.join(' ')} if the service provides it. An emulator provides it with: tokenctl emulator start --reactor-runtime node --reactor-modules .`;
  return [...install, ...(needNode.length > 0 ? [leave] : [])].join(' ') || undefined;
}

export function createBundlingError(failure: BundlingFailure): ReactorCodeError {
  const [problems, own]: [CodeProblem[], (CodeProblem & { name: string })[]] = [[], []];
  /** What packages lack, once for all of their files. */
  const byPackage = new Map<string, Set<string>>();
  for (const message of failure.errors) {
    const problem = toProblem(message, failure);
    const name = /^Could not resolve "([^"./][^"]*)"/.exec(message.text)?.[1];
    const owner = packageOfFile(resolve(failure.directory, message.location?.file ?? ''));
    if (name === undefined) problems.push(problem);
    else if (owner === undefined) own.push({ ...problem, name });
    else byPackage.set(owner, (byPackage.get(owner) ?? new Set()).add(JSON.stringify(name)));
  }
  problems.push(...own.map(({ name, ...problem }) => ({ ...problem, message: notFound(name) })));
  for (const [name, missing] of byPackage)
    problems.push({
      message: `${name} needs ${[...missing].join(', ')}, which the service does not provide`,
    });
  const names = own.map(({ name }) => name);
  const hint = adviseOnMissing([...byPackage.keys()], names);
  return new ReactorCodeError(`${failure.file} cannot be bundled.`, problems, hint);
}
