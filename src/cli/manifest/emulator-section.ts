import * as z from 'zod';
import { EMULATOR_FLAGS, type EmulatorOption, START_FLAGS } from '../../contract/emulator-options.js';

/** `store` is left out: whoever wrote the project file must not receive the password of whoever uses it. */
const { store: _, ...startFlags } = START_FLAGS;
const ROWS: Readonly<Record<string, EmulatorOption>> = { ...startFlags, ...EMULATOR_FLAGS };

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function valueSchema(row: EmulatorOption): z.ZodType {
  const { value, integer, list, choices, parse, optionalValue, isValid = () => true } = row;
  const error = row.textRule ?? row.rule ?? 'must not be empty';
  if (value === undefined) return z.boolean();
  if (integer) return z.int().refine(isValid, error);
  if (choices) return z.enum(choices, error);
  if (parse)
    return z.union([z.string(), z.number()], error).refine((given) => isValid(parse(String(given))), error);
  const one = z.string().min(1).refine(isValid, error);
  const some = list ? z.union([one, z.array(one)], error) : one;
  return optionalValue ? z.union([z.literal(true), some], `${error}; or true`) : some;
}

export const emulatorSection = z.strictObject(
  Object.fromEntries(
    Object.entries(ROWS).map(([name, row]) => [
      toSnakeCase(name),
      valueSchema(row)
        .optional()
        .meta({ description: row.onByDefault ? `false: ${row.description}` : `${row.description}` }),
    ]),
  ),
);
