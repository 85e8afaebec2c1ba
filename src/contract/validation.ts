import type * as z from 'zod';

/** Messages by property path, as the common error body carries them. */
export type FieldErrors = Record<string, string[]>;

/** Plain words for what a schema expects; JSON has no other types. */
const TYPE_WORDS: Record<string, string> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

/** One message per issue; it never repeats the value, which may be sensitive. */
function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      // A message of the schema's own says more than the type's name.
      if (!issue.message.startsWith('Invalid input')) return issue.message;
      const expected = TYPE_WORDS[issue.expected] ?? issue.expected;
      return issue.message.endsWith('received undefined')
        ? `is required, ${expected}`
        : `must be ${expected}`;
    }
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

function add(errors: FieldErrors, path: readonly PropertyKey[], message: string): void {
  const key = path.map(String).join('.');
  errors[key] = [...(errors[key] ?? []), message];
}

/**
 * The field errors of a failed parse, e.g. `{ "data.routing_number": ["must be nine digits"] }`.
 * @param root what the paths start with: nothing for a body, `query` for a query.
 */
export function fieldErrors(error: z.ZodError, root: readonly string[] = []): FieldErrors {
  const errors: FieldErrors = Object.create(null);
  for (const issue of error.issues) {
    const path = [...root, ...issue.path];
    if (issue.code !== 'unrecognized_keys') add(errors, path.length > 0 ? path : ['body'], messageOf(issue));
    else for (const key of issue.keys) add(errors, [...path, key], 'is not a known property');
  }
  return { ...errors };
}
