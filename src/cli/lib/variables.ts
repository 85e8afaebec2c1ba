import { mapLeaves } from '../../contract/json.js';
import { usageError } from './errors.js';

/** `${var:NAME}` or, in addresses, `${env:NAME}`; another `$` before it makes it literal text. */
const REFERENCE = /\$(\$?)\{(var|env):([^}]*)\}/g;

/** The command that sets a variable of the environment in the usual shell. */
export const setVariable = (name: string, value: string, platform = process.platform): string =>
  platform === 'win32' ? `$env:${name} = '${value}'` : `export ${name}=${value}`;

export const settingHint = (names: readonly string[]): string =>
  `Set ${names.join(', ')} (${setVariable(names[0] ?? '', '…')}).`;

export type Variables = Readonly<Record<string, string>>;
/** Replaces `${var:NAME}` in a part of the manifest. @param where names it in errors: `The reactor "charge"` */
export function replaceVariables<Part>(part: Part, variables: Variables, where: string): Part {
  return mapLeaves(part, (leaf) =>
    typeof leaf === 'string' ? replaceIn(leaf, 'var', (name) => readVariable(name, variables, where)) : leaf,
  ) as Part;
}

/** Replaces `${env:NAME}` in an address. @throws {CliError} for a variable that the environment lacks */
export const replaceEnvironment = (address: string, env: NodeJS.ProcessEnv, where: string): string =>
  replaceIn(address, 'env', (name) => {
    const value = env[name];
    if (value !== undefined) return value;
    throw usageError(
      `${where} takes ${name} from the environment, where it is not set.`,
      settingHint([name]),
    );
  });

const replaceIn = (text: string, scheme: string, replace: (name: string) => string): string =>
  text.replace(REFERENCE, (whole, escaped: string, found: string, name: string) => {
    if (found !== scheme) return whole;
    return escaped === '' ? replace(name) : whole.slice(1);
  });

function readVariable(name: string, variables: Variables, where: string): string {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value !== undefined) return value;
  const known = Object.keys(variables);
  throw usageError(
    `${where} refers to the variable ${name}, which has no value here.`,
    known.length > 0
      ? `Variables: ${known.join(', ')}. Those of an environment need --environment.`
      : `Declare it: variables: { ${name}: … }, in the manifest or in an environment.`,
  );
}
