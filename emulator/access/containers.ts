/** A grant on a container covers everything below it: `/pci/` covers `/pci/` and `/pci/high/`, `/` covers all. */
export function covers(grant: string, container: string): boolean {
  // Both end with a slash, so that a prefix is a path prefix.
  return container.startsWith(grant);
}
