import { basename } from 'node:path';
import { UNKNOWN_EVENT_TYPE, UNKNOWN_PERMISSION } from '../../contract/problems.js';

const CATEGORIES = {
  /** The command failed, or some of its items did. */
  failed: [1, 'Failed'],
  /** A usage error, or input that is not valid. */
  usage: [2, 'Usage Error'],
  invalid: [2, 'Invalid Input'],
  /** `diff --exit-code`, `verify`. */
  difference: [3, 'Difference'],
  unauthorized: [4, 'Unauthorized'],
  forbidden: [4, 'Forbidden'],
  not_found: [5, 'Not Found'],
  rate_limited: [6, 'Too Many Requests'],
  timeout: [7, 'Timeout'],
  unreachable: [7, 'Unreachable'],
  interrupted: [130, 'Interrupted'],
} as const satisfies Record<string, readonly [exitCode: number, title: string]>;

export type FailureCategory = keyof typeof CATEGORIES;

export const EXIT_CODES = Object.fromEntries(
  Object.entries(CATEGORIES).map(([category, [code]]) => [category, code]),
) as Record<FailureCategory, number>;

const HELP: Readonly<Record<string, string>> = {
  [UNKNOWN_PERMISSION]: 'is not a permission; list them: tokenctl permission list',
  [UNKNOWN_EVENT_TYPE]: 'is not a type of event; list them: tokenctl webhook event-types',
};

/** Names commands instead of the operations that a message of the service refers to. */
export const helpFor = (message: string): string => HELP[message] ?? message;

/** Says what was probably meant: after the problem, in front of everything that is accepted. */
export function suggest(message: string, nearest: string): string {
  const [problem = '', known] = message.split(/(?:\. Known: |; list them: .*)/);
  return `${problem}. Did you mean ${nearest}?${known ? ` Known: ${known}` : ''}`;
}

/** Where a file says what an error is about. Lines and columns count from 1. */
export interface Position {
  /** The property; absent if the file as a whole cannot be read. */
  path?: string | undefined;
  file: string;
  line: number;
  column: number;
}

/** Formats a position as editors and terminals link it: `tokenctl.yaml:12:5`. */
export const formatPosition = ({ file, line, column }: Position): string =>
  `${basename(file)}:${line}:${column}`;

export interface Failure {
  category: FailureCategory;
  status?: number | undefined;
  title: string;
  /** What failed, in one sentence. */
  detail: string;
  /** Messages by property path, flag or item. */
  errors?: Record<string, string[]> | undefined;
  traceId?: string | undefined;
  /** Of what the errors are about, in files. */
  positions?: Position[] | undefined;
  /** The property of the manifest that it is about, until its position is known. */
  at?: readonly PropertyKey[] | undefined;
  /** What to do, usually a command to run. */
  hint?: string | undefined;
}

/** An error found by the CLI itself. Error responses of the service are ServiceErrors. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly failure: Failure;

  constructor(
    category: FailureCategory,
    detail: string,
    more: Omit<Partial<Failure>, 'category' | 'detail'> = {},
  ) {
    super(detail);
    this.failure = { category, title: CATEGORIES[category][1], detail, ...more };
  }
}

export function errorLines(errors: Failure['errors']): string[] {
  return Object.entries(errors ?? {}).flatMap(([path, messages]) =>
    messages.map((message) => `${path}: ${message}`),
  );
}

/** Sentences that only say that there are field errors. */
const GENERAL = /\bsee errors\.?$/;

export const isGeneral = ({ detail, errors }: Pick<Failure, 'detail' | 'errors'>): boolean =>
  GENERAL.test(detail) && Object.keys(errors ?? {}).length > 0;

/** Says what failed, and the field errors that the sentence does not repeat, one line each. */
export function failureLines({ detail, errors }: Pick<Failure, 'detail' | 'errors'>): string[] {
  if (isGeneral({ detail, errors })) return errorLines(errors);
  const isSaid = (line: string) => detail.includes(line.replace(/^\S*: /, ''));
  return [detail, ...errorLines(errors).filter((line) => !isSaid(line))];
}

/** Creates a usage error. `detail` names the flag or argument and what it accepts. */
export function usageError(detail: string, hint?: string): CliError {
  return new CliError('usage', detail, { hint });
}

/** Creates the error of a command that needs a manifest. @param more what else the command takes: ` It takes files too.` */
export const noProjectError = (more = ''): CliError =>
  usageError(
    'There is no tokenctl.json or tokenctl.yaml in this directory or above.',
    `Create a project with \`tokenctl init\`, or from a tenant with \`tokenctl pull\`.${more}`,
  );

export const declinedError = (detail: string): CliError =>
  new CliError('failed', detail, { title: 'Declined' });

export const interruptedError = (): CliError => new CliError('interrupted', 'Interrupted.');

/** Adds the path that the user knows to an error of the file system. Other errors are returned unchanged. */
export const withPath = (error: unknown, path: string): unknown =>
  error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error;

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file is in its place',
  EISDIR: 'it is a directory',
  ENOSPC: 'the disk is full',
};

/** Describes an error code of the file system in words, with the code: `permission denied (EACCES)`. */
export function describeFileError(code = 'unknown error'): string {
  const problem = FILE_PROBLEMS[code];
  return problem === undefined ? code : `${problem} (${code})`;
}
