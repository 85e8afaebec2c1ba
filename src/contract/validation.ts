import type * as z from 'zod';

/** Messages by property path, as the common error body carries them. */
export type FieldErrors = Record<string, string[]>;

const TYPE_WORDS: Record<string, string> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const UNITS: Record<string, string> = { string: 'character', array: 'item' };

/** `be at most 3`, `be at most 200 characters`, `have at least 1 item`. */
function limit(end: 'least' | 'most', count: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `be at ${end} ${count}`;
  return `${origin === 'array' ? 'have' : 'be'} at ${end} ${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the message of an issue. It never contains the value, which may be sensitive. */
function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      // The schema's own message says more than the values.
      return issue.message.startsWith('Invalid ')
        ? `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
        : issue.message;
    case 'invalid_type': {
      // The schema's own message says more than the name of the type.
      if (!issue.message.startsWith('Invalid input')) return issue.message;
      const expected = TYPE_WORDS[issue.expected] ?? issue.expected;
      return issue.message.endsWith('received undefined')
        ? `is required, ${expected}`
        : `must be ${expected}`;
    }
    case 'invalid_key':
      // What is wrong with the name of the property, which is in the path.
      return issue.issues[0] ? messageOf(issue.issues[0]) : issue.message;
    case 'too_big':
      return `must ${limit('most', issue.maximum, issue.origin)}`;
    case 'too_small':
      return `must ${limit('least', issue.minimum, issue.origin)}`;
    default:
      return issue.message;
  }
}

/** The number of messages in one response; a body of 5 MB can contain far more errors. */
export const MAX_FIELD_ERRORS = 100;

function* messagesOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType | undefined,
): Iterable<[path: PropertyKey[], message: string]> {
  if (issue.code !== 'unrecognized_keys') return yield [issue.path, messageOf(issue)];
  const known = schema ? knownProperties(schema, issue.path) : [];
  const others = known.filter((name) => !issue.keys.includes(name));
  const unknown = `is not a known property${others.length > 0 ? `. Known: ${others.join(', ')}` : ''}`;
  // A schema with options knows properties that exclude each other.
  for (const key of issue.keys)
    yield [[...issue.path, key], known.includes(key) ? 'cannot be given together with the others' : unknown];
}

function add(errors: FieldErrors, path: readonly PropertyKey[], message: string): void {
  const key = path.map(String).join('.');
  errors[key] = [...(errors[key] ?? []), message];
}

/** Converts a failed parse to at most 100 field errors. @param root prefix of paths @param schema has known names */
export function fieldErrors(
  error: z.ZodError,
  root: readonly string[] = [],
  schema?: z.ZodType,
): FieldErrors {
  const errors: FieldErrors = Object.create(null);
  let count = 0;
  for (const issue of issuesOf(error)) {
    for (const [path, message] of messagesOf(issue, schema)) {
      if (count === MAX_FIELD_ERRORS) return { ...errors };
      count += 1;
      const whole = [...root, ...path];
      add(errors, whole.length > 0 ? whole : ['body'], message);
    }
  }
  return { ...errors };
}

/** Of a schema with options, returns the issues of the one that fits best; the first of several. */
export function issuesOf({ issues }: z.ZodError): readonly z.core.$ZodIssue[] {
  const [issue] = issues;
  if (issue?.code !== 'invalid_union' || issue.path.length > 0) return issues;
  const misfits = issue.errors.map(misfitOf);
  return issue.errors[misfits.indexOf(Math.min(...misfits))] ?? issues;
}

/** Counts the properties that an option does not know; of two, one that misses nothing else fits better. */
function misfitOf(issues: readonly z.core.$ZodIssue[]): number {
  const unknown = issues.flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : []));
  return unknown.length + (issues.every(({ code }) => code === 'unrecognized_keys') ? 0 : 0.5);
}

type Definition = z.core.$ZodTypes['_zod']['def'];

/** Removes what surrounds the definition of a value: optional, nullable, a default, a transform. */
function unwrap(schema: z.core.$ZodType | undefined): Definition | undefined {
  const definition = schema?._zod.def as Definition | undefined;
  if (definition?.type === 'pipe') return unwrap(definition.in);
  return definition && 'innerType' in definition ? unwrap(definition.innerType) : definition;
}

function child(definition: Definition | undefined, key: PropertyKey): Definition | undefined {
  if (definition?.type === 'object') return unwrap(definition.shape[String(key)]);
  if (definition?.type === 'array') return unwrap(definition.element);
  return definition?.type === 'record' ? unwrap(definition.valueType) : undefined;
}

/** Lists the properties of the object at a path of a schema; none if the schema does not tell. */
export function knownProperties(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const root = unwrap(schema);
  if (root?.type === 'union')
    return [...new Set(root.options.flatMap((option) => knownProperties(option as z.ZodType, path)))];
  const found = path.reduce(child, root);
  return found?.type === 'object' ? Object.keys(found.shape) : [];
}
