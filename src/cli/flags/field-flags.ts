import type { FieldKind, Resource, ResourceField } from '../../contract/resources.js';
import { type Flag, type Flags, toCamelCase } from './flag.js';

type WriteVerb = 'create' | 'replace' | 'update';

const PLACEHOLDERS: Readonly<Partial<Record<FieldKind, string>>> = {
  text: 'TEXT',
  url: 'URL',
  names: 'NAME',
  rules: 'JSON|@FILE|-',
  json: 'JSON|@FILE|-',
  code: 'CODE|@FILE|-',
  transform: 'CODE|@FILE|-',
  map: 'JSON|@FILE|-',
  application: 'ID|NAME',
};

/** Returns the option of a field: `destinationUrl` for `destination_url`. */
export const optionOf = (name: string, { flag }: ResourceField): string => flag ?? toCamelCase(name);

function flagOf(name: string, field: ResourceField, verb: WriteVerb): Flag {
  const { kind, description, removal, placeholder, suggest } = field;
  const value = placeholder ?? (name === 'name' ? 'NAME' : PLACEHOLDERS[kind]);
  const negation =
    removal?.onlyIn === undefined || removal.onlyIn === verb ? removal?.description : undefined;
  return {
    description,
    ...(value !== undefined && { value }),
    ...(kind === 'names' && { list: true }),
    ...(suggest ? { suggest } : kind === 'application' && { suggest: 'application' as const }),
    ...(negation !== undefined && { negatable: true, negation }),
  };
}

export function fieldFlags({ fields }: Resource, verb: WriteVerb): Flags {
  const flags: Record<string, Flag> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.immutable && verb !== 'create') continue;
    const { entryFlag } = field;
    if (entryFlag)
      flags[entryFlag.name] = { value: 'NAME=VALUE', list: true, description: entryFlag.description };
    flags[optionOf(name, field)] = flagOf(name, field, verb);
  }
  return flags;
}
