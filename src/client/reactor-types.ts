import type { ReactorResponse } from '../contract/schemas/index.js';

declare global {
  /** The reactors of a project by name, which `tokenctl reactor types` declares. */
  interface Reactors {}
}

/** The name of a reactor: one that is declared, or any if none is. */
export type ReactorName = keyof Reactors extends never ? string : keyof Reactors & string;

type Declared<Name, Part extends string, Otherwise> = Name extends keyof Reactors
  ? Reactors[Name] extends Record<Part, infer Type>
    ? Type
    : Otherwise
  : Otherwise;

/** What callers send as `args`. */
export type ReactorArguments<Name> = Declared<Name, 'request', Record<string, unknown>>;

/** What callers get. */
export type ReactorResult<Name> = Declared<Name, 'result', ReactorResponse>;
