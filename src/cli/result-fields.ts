import * as z from 'zod';
import { emulatorEvent } from '../contract/control/events.js';
import { operationSchemas } from '../contract/schemas/index.js';
import type { CommandResult } from './command.js';
import { unknownFieldsError } from './output/fields.js';

/** Checks the fields of `--json` against the contract before anything is sent. Optional fields are accepted. */
export function assertResultFields(
  result: CommandResult,
  fields: readonly string[],
  addedFields: readonly string[] = [],
): void {
  const schemas = result === 'events' ? [emulatorEvent] : Object.values(operationSchemas(result).responses);
  const stated = schemas.flatMap((schema) => (schema ? fieldNames(schema) : []));
  const names = [...new Set([...addedFields, ...stated])];
  const unknown = fields.filter((field) => !names.includes(field.split('.', 1)[0] ?? ''));
  if (unknown.length > 0) throw unknownFieldsError(unknown, names);
}

/** Lists the properties of an object, of each kind of a union, or of the items of a list or page. */
function fieldNames(schema: unknown): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldNames);
  if (schema instanceof z.ZodArray) return fieldNames(schema.element);
  if (!(schema instanceof z.ZodObject)) return [];
  const { pagination, data } = schema.shape;
  return pagination !== undefined && data !== undefined ? fieldNames(data) : Object.keys(schema.shape);
}
