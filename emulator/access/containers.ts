/** The containers whose grants cover this one: `/pci/high/` is covered by `/`, `/pci/` and itself. */
export function coveringContainers(container: string): string[] {
  const covering = ['/'];
  for (let at = container.indexOf('/', 1); at > 0; at = container.indexOf('/', at + 1)) {
    covering.push(container.slice(0, at + 1));
  }
  return covering;
}
