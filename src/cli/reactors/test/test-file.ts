import { existsSync } from 'node:fs';
import * as z from 'zod';
import { createApplication } from '../../../contract/schemas/applications.js';
import { createToken } from '../../../contract/schemas/tokens.js';
import { fieldErrors } from '../../../contract/validation.js';
import { CliError, usageError } from '../../lib/errors.js';
import { parseJson } from '../../lib/json.js';
import { readText } from '../project/source-file.js';
import { LOCAL_APPLICATION_NAME } from './local-application.js';

const configuration = z.record(z.string(), z.string());
const args = z.union([z.record(z.string(), z.unknown()), z.string()]);

/** Its name matters to nobody. */
const application = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null ? { name: LOCAL_APPLICATION_NAME, ...value } : value,
  createApplication,
);

const testCase = z
  .strictObject({
    name: z.string().min(1),
    args: args.optional(),
    /** Over the file's own. */
    configuration: configuration.optional(),
    /** The reactor response; every property named must be so. */
    result: z.unknown().optional(),
    /** The answer of a reactor that fails. */
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
    'has a result and an error; only one can be',
  );

const testFile = z.strictObject({
  $schema: z.string().optional(),
  configuration: configuration.optional(),
  application: application.optional(),
  tokens: z.array(createToken).optional(),
  cases: z.array(testCase).min(1),
});

export type ReactorTestFile = z.infer<typeof testFile>;
export type ReactorTestCase = ReactorTestFile['cases'][number];

const ENDING = '.test.json';

/** `charge.test.json` beside `charge.ts`. */
export const testPathOf = (code: string): string => code.replace(/\.[^.\\/]+$/, '') + ENDING;

/** The code beside a file of cases; what is no such file is code itself. */
export function codePathOf(path: string): string {
  if (!path.endsWith(ENDING)) return path;
  const base = path.slice(0, -ENDING.length);
  const found = ['.ts', '.js', '.mts', '.cts', '.mjs', '.cjs']
    .map((ending) => base + ending)
    .find(existsSync);
  if (found !== undefined) return found;
  throw usageError(`There is no code beside ${path}: ${base}.ts or ${base}.js.`);
}

/** @throws {CliError} that names what is wrong in it. */
export async function readTestFile(path: string): Promise<ReactorTestFile> {
  const parsed = testFile.safeParse(parseJson(await readText(path, 'The test'), path));
  if (parsed.success) return parsed.data;
  throw new CliError('usage', `${path} is no valid test.`, { errors: fieldErrors(parsed.error) });
}
