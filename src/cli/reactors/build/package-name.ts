/** Returns the package that a file belongs to; undefined for a file of the project. */
export function packageOfFile(path: string): string | undefined {
  const match = /^.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
  return match?.[1]?.replace('\\', '/');
}

/** Returns the package of an import: `@scope/name` for `@scope/name/file`. */
export const packageOfImport = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
