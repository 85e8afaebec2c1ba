import { isObject } from '../../contract/json.js';
import { usageError } from '../lib/errors.js';
import { replaceEnvironment, replaceVariables } from '../lib/variables.js';
import { findUpwards, PROJECT_FILE_NAMES } from './paths.js';
import { readParts } from './project-parts.js';

function optionalString(content: Record<string, unknown>, name: string, path: string): string | undefined {
  const value = content[name];
  if (value === undefined || typeof value === 'string') return value;
  throw usageError(`\`${name}\` in ${path} must be a string.`);
}

/** An address that is one variable of the environment. */
const FROM_ENVIRONMENT = /^\$\{env:([^}]*)\}$/;

/**
 * Replaces the references in an address. One to the environment is the whole address: as a part of it, whoever wrote the project file
 * would receive the value.
 * @param scopes hold variables; those of a later one take precedence
 */
function resolveAddress(
  address: string | undefined,
  scopes: readonly unknown[],
  env: NodeJS.ProcessEnv,
  path: string,
): string | undefined {
  if (address === undefined) return undefined;
  const where = `The base_url of ${path}`;
  const variables = scopes.flatMap((scope) =>
    isObject(scope) && isObject(scope.variables) ? scope.variables : [],
  );
  const texts = Object.entries(Object.assign({}, ...variables)).map(([name, value]) => [name, String(value)]);
  const resolved = replaceVariables(address, Object.fromEntries(texts), where);
  const variable = FROM_ENVIRONMENT.exec(resolved)?.[1];
  if (variable === undefined) return resolved;
  const found = replaceEnvironment(resolved, env, where);
  if (/^https?:\/\//.test(found) && URL.canParse(found)) return found;
  throw usageError(`${where} is ${variable} of the environment, which is not an http or https URL.`);
}

/** Returns an environment of the project file at a path. @throws {CliError} that names the known environments */
export function requireEnvironment<Environment>(
  environments: Readonly<Record<string, Environment>> | undefined,
  name: string,
  path: string,
): Environment {
  const known = environments ?? {};
  const found = Object.hasOwn(known, name) ? known[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(known);
  throw usageError(
    `${path} has no environment ${JSON.stringify(name)}.`,
    names.length > 0
      ? `Its environments: ${names.join(', ')}.`
      : `Add it: environments: { ${name}: { profile: ${name} } }`,
  );
}

/** Reads the target from the project file; an environment takes precedence over the top of the file. */
export async function readProjectTarget(cwd: string, env: NodeJS.ProcessEnv, environment?: string) {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  if (!path) {
    if (environment === undefined) return undefined;
    throw usageError(
      `--environment ${environment} needs a tokenctl.json or tokenctl.yaml in this directory or above.`,
    );
  }
  const { document: content } = await readParts(path, `The project file ${path}`);
  const environments = isObject(content.environments) ? content.environments : {};
  const chosen = environment === undefined ? undefined : requireEnvironment(environments, environment, path);
  const source = isObject(chosen) && ('profile' in chosen || 'base_url' in chosen) ? chosen : content;
  return {
    path,
    profile: optionalString(source, 'profile', path),
    baseUrl: resolveAddress(optionalString(source, 'base_url', path), [content, chosen], env, path),
    headerPrefix: optionalString(source, 'header_prefix', path),
    environments: environment === undefined ? Object.keys(environments) : [],
  };
}
