import { existsSync } from 'node:fs';
import * as z from 'zod';
import { PERMISSION_NAMES } from '../../../contract/permissions.js';
import { createApplication } from '../../../contract/schemas/applications.js';
import type { OperationInput } from '../../../contract/schemas/index.js';
import { createToken } from '../../../contract/schemas/tokens.js';
import { fieldErrors } from '../../../contract/validation.js';
import { CliError, usageError } from '../../lib/errors.js';
import { parseJson } from '../../lib/json.js';
import { readText } from '../project/selection.js';

const LOCAL_APPLICATION_NAME = 'reactor';

/** Stands for the application of the manifest, whose permissions only the service knows: it may do everything with tokens. */
export function createLocalApplication(): OperationInput<'applications.create'>['body'] {
  const permissions = PERMISSION_NAMES.filter((name) => name.startsWith('token:'));
  return { name: LOCAL_APPLICATION_NAME, type: 'private', permissions };
}

const configuration = z.record(z.string(), z.string());
const args = z.union([z.record(z.string(), z.unknown()), z.string()]);

/** The name is optional: nothing refers to it. */
const application = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null ? { name: LOCAL_APPLICATION_NAME, ...value } : value,
  createApplication,
);

const testCase = z
  .strictObject({
    name: z.string().min(1),
    args: args.optional(),
    /** Overrides values of the file's configuration. */
    configuration: configuration.optional(),
    /** The expected reactor response; properties that it does not name are not compared. */
    result: z.unknown().optional(),
    /** The expected response of a reactor that fails. */
    error: z
      .strictObject({
        status: z.int().optional(),
        title: z.string().optional(),
        detail: z.string().optional(),
        errors: z.unknown().optional(),
      })
      .optional(),
  })
  .refine(
    (one) => one.result === undefined || one.error === undefined,
    'has both a result and an error; only one of them is allowed',
  );

const testFile = z.strictObject({
  $schema: z.string().optional(),
  configuration: configuration.optional(),
  application: application.optional(),
  tokens: z.array(createToken).optional(),
  cases: z.array(testCase).min(1),
});

export type ReactorTestCase = z.infer<typeof testCase> & {
  line: number;
};
export type ReactorTestFile = z.infer<typeof testFile> & { cases: ReactorTestCase[] };

const EXTENSION = '.test.json';
const CODE_EXTENSIONS = ['.ts', '.js', '.mts', '.cts', '.mjs', '.cjs'];

/** Returns the path of a reactor's test file: `charge.test.json` for `charge.ts`. */
export const testPathFor = (code: string): string => code.replace(/\.[^.\\/]+$/, '') + EXTENSION;

/** A path of code is returned as it is. */
export function codePathFor(path: string): string {
  if (!path.endsWith(EXTENSION)) return path;
  const base = path.slice(0, -EXTENSION.length);
  const found = CODE_EXTENSIONS.map((extension) => base + extension).find(existsSync);
  if (found !== undefined) return found;
  throw usageError(`There is no code next to ${path}; expected ${base}.ts or ${base}.js.`);
}

/** Reads a test file. @throws {CliError} if it is not valid, with the errors by property path. */
export async function readTestFile(path: string): Promise<ReactorTestFile> {
  const text = await readText(path, 'The test file');
  const parsed = testFile.safeParse(parseJson(text, path));
  if (parsed.success) return { ...parsed.data, cases: locateCases(parsed.data.cases, text) };
  throw new CliError('usage', `${path} is not a valid test file.`, {
    errors: fieldErrors(parsed.error, [], testFile),
  });
}

/** Adds the line of each case, whose names are searched for in the order of the file. */
function locateCases(cases: z.infer<typeof testFile>['cases'], text: string): ReactorTestCase[] {
  let offset = 0;
  return cases.map((one) => {
    const found = text.indexOf(JSON.stringify(one.name), offset);
    offset = Math.max(offset, found);
    return { ...one, line: text.slice(0, offset).split('\n').length };
  });
}
