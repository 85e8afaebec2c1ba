/** What `--allow-net [HOST…]` says: hosts, everything, or nothing but this machine. */
export function allowedNetwork(allowNet: readonly string[] | true | undefined): readonly string[] | boolean {
  if (allowNet === undefined) return false;
  return allowNet === true || allowNet.flatMap((hosts) => hosts.split(','));
}
