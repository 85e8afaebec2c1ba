/** Lists the containers whose grants cover this one: `/pci/high/` is covered by `/`, `/pci/` and itself. */
export function coveringContainers(container: string): string[] {
  const containers = ['/'];
  for (let end = container.indexOf('/', 1); end > 0; end = container.indexOf('/', end + 1)) {
    containers.push(container.slice(0, end + 1));
  }
  return containers;
}
