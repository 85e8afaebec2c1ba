import { isObject } from '../../../contract/json.js';

type Primitive = 'any' | 'boolean' | 'null' | 'number' | 'string';

/** The type of JSON values: what all samples that it was inferred from have in common. All objects are one type. */
export interface JsonType {
  primitives: ReadonlySet<Primitive>;
  /** Type of the elements, if a list was seen; undefined elements were never seen. */
  list?: { elements: JsonType | undefined } | undefined;
  properties?: ReadonlyMap<string, Property> | undefined;
}

interface Property {
  type: JsonType;
  optional: boolean;
}

export const primitiveType = (...primitives: Primitive[]): JsonType => ({ primitives: new Set(primitives) });

export const ANY = primitiveType('any');

export const objectType = (properties: Iterable<readonly [string, Property]>): JsonType => ({
  primitives: new Set(),
  properties: new Map(properties),
});

export function inferType(
  value: unknown,
  convert: (value: unknown) => JsonType | undefined = () => undefined,
): JsonType {
  const converted = convert(value);
  if (converted) return converted;
  if (Array.isArray(value)) {
    const elements = value
      .map((item) => inferType(item, convert))
      .reduce<JsonType | undefined>(mergeOptional, undefined);
    return { primitives: new Set(), list: { elements } };
  }
  if (isObject(value))
    return objectType(
      Object.entries(value).map(([name, item]) => [
        name,
        { type: inferType(item, convert), optional: false },
      ]),
    );
  return primitiveType(value === null ? 'null' : (typeof value as Primitive));
}

const mergeOptional = (one: JsonType | undefined, other: JsonType | undefined): JsonType | undefined =>
  one && other ? mergeTypes(one, other) : (one ?? other);

function mergeProperties(one: JsonType['properties'], other: JsonType['properties']): JsonType['properties'] {
  if (!one || !other) return one ?? other;
  const names = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    [...names].map((name) => {
      const [first, second] = [one.get(name), other.get(name)];
      const type = mergeOptional(first?.type, second?.type) ?? ANY;
      return [name, { type, optional: !first || !second || first.optional || second.optional }];
    }),
  );
}

/** Returns the type of the values of two types. A property that only one of them has is optional. */
export function mergeTypes(one: JsonType, other: JsonType): JsonType {
  const list = one.list || other.list;
  return {
    primitives: new Set([...one.primitives, ...other.primitives]),
    list: list && { elements: mergeOptional(one.list?.elements, other.list?.elements) },
    properties: mergeProperties(one.properties, other.properties),
  };
}

export const quoteName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

function formatProperties(properties: ReadonlyMap<string, Property>, indent: string): string {
  if (properties.size === 0) return 'Record<string, never>';
  const lines = [...properties].map(
    ([name, { type, optional }]) =>
      `${indent}  ${quoteName(name)}${optional ? '?' : ''}: ${formatType(type, `${indent}  `)};`,
  );
  return ['{', ...lines, `${indent}}`].join('\n');
}

/** Formats a type as TypeScript. @param indent of the line that the text is inserted in */
export function formatType({ primitives, list, properties }: JsonType, indent: string): string {
  if (primitives.has('any')) return 'any';
  const elements = list && (list.elements ? formatType(list.elements, indent) : 'unknown');
  const parts = [
    ...[...primitives].sort(),
    ...(properties ? [formatProperties(properties, indent)] : []),
    ...(elements === undefined ? [] : [elements.includes(' | ') ? `(${elements})[]` : `${elements}[]`]),
  ];
  return parts.join(' | ') || 'unknown';
}
